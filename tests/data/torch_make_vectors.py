"""Records what PyTorch computes, for the tests of attention_core. PyTorch is no dependency of the project.

    python -m venv elsewhere && elsewhere/bin/pip install torch==2.13.0 numpy
    elsewhere/bin/python tests/data/torch_make_vectors.py

Writes torch_vectors.npz beside this file: F.scaled_dot_product_attention (float32 and float64; plain, causal, with
a boolean mask, scaled otherwise; several heads; more keys than queries) and nn.MultiheadAttention with its weights
and biases (causal or not, with padding). Names are <dtype>/<group>/<array>; `versions` says what made them.
"""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import torch
from torch.nn import MultiheadAttention
from torch.nn.functional import scaled_dot_product_attention as sdpa

DTYPES = {"float32": torch.float32, "float64": torch.float64}
Arrays = dict[str, np.ndarray]


def attention_cases(dtype: torch.dtype) -> Arrays:
    """q, k, v [batch, heads, n, d_k], outputs, and a mask as PyTorch takes it: True = may look."""
    draw = torch.Generator().manual_seed(7)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=draw, dtype=dtype)

    q, k, v = (normal(2, 3, 5, 4) for _ in range(3))
    more_k, more_v = normal(2, 3, 7, 4), normal(2, 3, 7, 6)
    may_look = torch.rand(2, 1, 5, 5, generator=draw) < 0.6
    may_look |= torch.eye(5, dtype=torch.bool)
    return _arrays(
        q=q,
        k=k,
        v=v,
        may_look=may_look,
        more_k=more_k,
        more_v=more_v,
        out_plain=sdpa(q, k, v),
        out_causal=sdpa(q, k, v, is_causal=True),
        out_masked=sdpa(q, k, v, attn_mask=may_look),
        out_scaled=sdpa(q, k, v, scale=0.25),
        out_wide=sdpa(q, more_k, more_v),
        out_large=sdpa(30 * q, 30 * k, v),
    )


def layer_cases(dtype: torch.dtype, h: int) -> Arrays:
    """nn.MultiheadAttention of d_model 8 with h heads: x [batch, n, d_model], weights, biases, results."""
    torch.manual_seed(11 + h)
    layer = MultiheadAttention(8, h, bias=True, batch_first=True, dtype=dtype)
    with torch.no_grad():  # the layer's own biases start at 0 and would test nothing
        layer.in_proj_bias.normal_()
        layer.out_proj.bias.normal_()
    x = torch.randn(3, 6, 8, dtype=dtype)
    padding = torch.tensor([[False] * 6, [False] * 4 + [True] * 2, [False] * 5 + [True]])
    later = torch.ones(6, 6, dtype=torch.bool).triu(1)
    arrays = _arrays(
        x=x,
        padding=padding,
        w_in=layer.in_proj_weight,
        b_in=layer.in_proj_bias,
        w_out=layer.out_proj.weight,
        b_out=layer.out_proj.bias,
    )
    options = {"plain": {}, "causal": {"attn_mask": later}, "padded": {"key_padding_mask": padding}}
    for case, masks in options.items():
        out, weights = layer(x, x, x, need_weights=True, average_attn_weights=False, **masks)
        arrays |= _arrays(**{f"out_{case}": out, f"weights_{case}": weights})
    return arrays


def _arrays(**tensors: torch.Tensor) -> Arrays:
    return {name: tensor.detach().numpy() for name, tensor in tensors.items()}


def main() -> None:
    """Writes the file whole or not at all."""
    torch.set_num_threads(1)
    versions = f"torch {torch.__version__}, numpy {np.__version__}, python {platform.python_version()}"
    arrays: Arrays = {"versions": np.array(versions)}
    for name, dtype in DTYPES.items():
        groups = {"attention": attention_cases(dtype), "layer2": layer_cases(dtype, 2), "layer4": layer_cases(dtype, 4)}
        for group, values in groups.items():
            arrays |= {f"{name}/{group}/{part}": value for part, value in values.items()}
    target = Path(__file__).with_name("torch_vectors.npz")
    sibling = target.with_name("torch_vectors.tmp.npz")
    np.savez_compressed(sibling, **arrays)
    sibling.replace(target)
    print(f"{target.name}: {len(arrays)} arrays, {target.stat().st_size} bytes, {versions}")


if __name__ == "__main__":
    main()
