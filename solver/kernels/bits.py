"""Bits of a 64-bit word: counts and ends, as single machine instructions."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from solver.kernels._jit import jit

__all__ = ["count", "highest", "lowest", "wrap"]

if config.DISABLE_JIT:

    def count(x):
        """Return the number of set bits."""
        return int(x).bit_count()

    def lowest(x):
        """Place of the lowest set bit; x is not 0."""
        x = int(x)
        return (x & -x).bit_length() - 1

    def highest(x):
        """Place of the highest set bit; x is not 0."""
        return int(x).bit_length() - 1

else:

    @intrinsic
    def count(typingctx, x):
        """Return the number of set bits."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @intrinsic
    def lowest(typingctx, x):
        """Place of the lowest set bit; x is not 0."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], cgutils.true_bit)

        return types.int64(types.uint64), codegen

    @intrinsic
    def highest(typingctx, x):
        """Place of the highest set bit; x is not 0."""

        def codegen(context, builder, signature, args):
            zeros = builder.ctlz(args[0], cgutils.true_bit)
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.int64(types.uint64), codegen


#: Unsigned constants: mixing signed and unsigned 64-bit words makes numba fall back to floats.
ONE = np.uint64(1)
ZERO = np.uint64(0)


@jit
def wrap(seat, seats):
    """A seat counted on past the last one, below twice their number, as a seat."""
    return seat - seats if seat >= seats else seat
