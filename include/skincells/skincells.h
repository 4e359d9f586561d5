// skincells: automatic skinning weights. This header brings the whole public interface.
#pragma once

#include "skincells/bind.h"
#include "skincells/character.h"
#include "skincells/character_file.h"
#include "skincells/field.h"
#include "skincells/math.h"
#include "skincells/mesh.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/report.h"
#include "skincells/result.h"
#include "skincells/rig.h"
#include "skincells/scene.h"
#include "skincells/threads.h"
#include "skincells/version.h"
#include "skincells/weights.h"
