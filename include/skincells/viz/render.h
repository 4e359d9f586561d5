// Pictures of posed characters: all headers of the renderer.
#pragma once

#include "skincells/viz/camera.h"
#include "skincells/viz/character_sheet.h"
#include "skincells/viz/color.h"
#include "skincells/viz/image.h"
#include "skincells/viz/joint_colors.h"
#include "skincells/viz/paint.h"
#include "skincells/viz/render_mesh.h"
#include "skincells/viz/sheet.h"
#include "skincells/viz/text.h"
#include "skincells/viz/texture.h"
