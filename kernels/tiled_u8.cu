// The `tiled` path over 8-bit planes: see tiled.cuh.
#include "tiled.cuh"

TILED_ENTRIES(u8, unsigned char)
