// Blurs up to radius 16.
#include "gaussian_tile.cuh"

TILE_ENTRIES(16, 8, 6)
