// The `tiled` path over 16-bit planes: see tiled.cuh.
#include "tiled.cuh"

TILED_ENTRIES(u16, unsigned short)
