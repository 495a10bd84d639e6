// Blurs up to radius 8.
#include "gaussian_tile.cuh"

TILE_ENTRIES(8, 9, 6)
