#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * The pages of clients/web, with all they need. clients/web/build.mjs makes assets.bin, and says what is in it.
 */
extern const size_t trackme_web_assets_size;

/* That many bytes, which never change. */
const uint8_t *trackme_web_assets(void);
