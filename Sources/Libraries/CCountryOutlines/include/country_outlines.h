#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Outlines of the world's countries, from Natural Earth (public domain). make_outlines.py makes outlines.bin, and says
 * what is in it.
 */
extern const size_t trackme_country_outlines_size;

/* That many bytes, which never change. */
const uint8_t *trackme_country_outlines(void);
