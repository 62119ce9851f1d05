#include "cmessages.h"
