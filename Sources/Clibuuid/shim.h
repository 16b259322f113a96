#pragma once
#include <uuid.h>
