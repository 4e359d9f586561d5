/* An importer of a game engine: it has a mesh, a simplified level of it and a skeleton in its own arrays, binds the
 * mesh in memory and takes the weights of the level from the field. No file is involved.
 *
 *   cc engine_import.c $(pkg-config --cflags --libs skincells) -lm -o engine_import && ./engine_import
 *
 * A tube stands in for the engine's mesh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <skincells/skincells_c.h>

/* A vertex as the engine has it: positions with other attributes between them. */
typedef struct {
  float position[3], normal[3];
  float uv[2];
  unsigned short joints[4];
  float weights[4];
} Vertex;

typedef struct {
  Vertex* vertices;
  size_t vertex_count;
  unsigned* triangles;
  size_t triangle_count;
} Mesh;

enum { kJoints = 4 };
static const float kHeads[kJoints][3] = {{0, 0, 0}, {0, 0.5F, 0}, {0, 1, 0}, {0, 1.5F, 0}};
static const int kParents[kJoints] = {-1, 0, 1, 2};
static const char* const kNames[kJoints] = {"root", "spine", "chest", "head"};

static void fail(skincells_context* context, const char* what) {
  skincells_error error = {sizeof error, 0, NULL, NULL, NULL};
  skincells_last_error(context, &error);
  fprintf(stderr, "%s: %s: %s (%s)\n", what, error.where, error.message, error.name);
  exit(1);
}
#define CHECK(call)                                                                                                    \
  if ((call) != SKINCELLS_OK) fail(context, #call)

static Mesh makeTube(unsigned rings, unsigned sides) {
  Mesh mesh;
  mesh.vertex_count = (size_t)rings * sides;
  mesh.triangle_count = (size_t)(rings - 1) * sides * 2;
  mesh.vertices = calloc(mesh.vertex_count, sizeof(Vertex));
  mesh.triangles = malloc(mesh.triangle_count * 3 * sizeof(unsigned));
  if (!mesh.vertices || !mesh.triangles) exit(1);
  unsigned* corner = mesh.triangles;
  for (unsigned r = 0; r < rings; ++r)
    for (unsigned s = 0; s < sides; ++s) {
      Vertex* v = &mesh.vertices[r * sides + s];
      const float angle = 6.2831853F * (float)s / (float)sides;
      v->normal[0] = cosf(angle);
      v->normal[2] = sinf(angle);
      v->position[0] = 0.2F * v->normal[0];
      v->position[1] = 2.0F * (float)r / (float)(rings - 1);
      v->position[2] = 0.2F * v->normal[2];
      if (r + 1 == rings) continue;
      const unsigned a = r * sides + s, b = r * sides + (s + 1) % sides;
      const unsigned quad[6] = {a, a + sides, b + sides, a, b + sides, b};
      for (int k = 0; k < 6; ++k) *corner++ = quad[k];
    }
  return mesh;
}

/* Views of the engine's memory: nothing is copied here. */
static skincells_character_desc describe(const Mesh* mesh) {
  skincells_character_desc desc = {sizeof desc};
  desc.name = "tube";
  desc.positions = (skincells_array){mesh->vertices[0].position, mesh->vertex_count, sizeof(Vertex), SKINCELLS_F32};
  desc.triangles = (skincells_array){mesh->triangles, mesh->triangle_count, 0, SKINCELLS_U32};
  desc.heads = (skincells_array){kHeads, kJoints, 0, SKINCELLS_F32};
  desc.parents = (skincells_array){kParents, kJoints, 0, SKINCELLS_I32};
  desc.names = kNames;
  return desc;
}

/* Copies the rows of a result into the engine's vertices. */
static void take(skincells_context* context, skincells_result result, Mesh* mesh) {
  skincells_result_view view = {sizeof view};
  CHECK(skincells_result_get(context, result, &view));
  for (size_t v = 0; v < view.vertex_count; ++v)
    for (size_t k = 0; k < view.slots; ++k) {
      mesh->vertices[v].joints[k] = view.row_joints[v * view.slots + k];
      mesh->vertices[v].weights[k] = view.row_weights[v * view.slots + k];
    }
}

static int showProgress(void* user, const skincells_progress* progress) {
  (void)user;
  fprintf(stderr, "%3.0f %% %s\n", 100 * progress->fraction, progress->stage);
  return SKINCELLS_GO_ON; /* or SKINCELLS_DISCARD, when somebody pressed Cancel */
}

int main(void) {
  Mesh mesh = makeTube(41, 16), level = makeTube(9, 6);
  skincells_context* context = NULL;
  if (skincells_create(SKINCELLS_ABI_VERSION, &context) != SKINCELLS_OK) return 1;

  const skincells_character_desc desc = describe(&mesh), level_desc = describe(&level);
  skincells_character character = 0, level_character = 0;
  skincells_options options = 0;
  skincells_result result = 0, level_result = 0;
  skincells_field field = 0;

  /* Bind the full mesh, at most two joints per vertex. */
  const skincells_control control = {sizeof control, showProgress, NULL, 0};
  CHECK(skincells_character_create(context, &desc, &character));
  CHECK(skincells_options_create(context, "bind", &options));
  CHECK(skincells_options_set(context, options, "max-influences", "2"));
  CHECK(skincells_bind(context, character, options, &control, &result));
  take(context, result, &mesh);

  /* The level has weights from the same field: it deforms like the full mesh. */
  CHECK(skincells_result_field(context, result, &field));
  CHECK(skincells_character_create(context, &level_desc, &level_character));
  CHECK(skincells_apply(context, field, level_character, 0, &level_result));
  take(context, level_result, &level);

  /* Single points, a hair root or a decal, need no mesh. */
  const float point[3] = {0.2F, 1.25F, 0}, normal[3] = {1, 0, 0};
  const skincells_array points = {point, 1, 0, SKINCELLS_F32}, normals = {normal, 1, 0, SKINCELLS_F32};
  skincells_result at_point = 0;
  skincells_result_view view = {sizeof view};
  const char* name = NULL;
  CHECK(skincells_field_evaluate(context, field, &points, &normals, 0, &at_point));
  CHECK(skincells_result_get(context, at_point, &view));
  CHECK(skincells_field_joint(context, field, view.row_joints[0], &name));
  printf("the point follows %s by %.2f\n", name, (double)view.row_weights[0]);

  double worst = 0;
  for (size_t v = 0; v < level.vertex_count; ++v)
    worst = fmax(worst, fabs((double)level.vertices[v].weights[0] + (double)level.vertices[v].weights[1] - 1));
  printf("%zu vertices bound, %zu of the level; sums differ from 1 by at most %.0e\n", mesh.vertex_count,
         level.vertex_count, worst);
  skincells_destroy(context); /* releases all objects */
  free(mesh.vertices), free(mesh.triangles), free(level.vertices), free(level.triangles);
  return worst < 1e-6 ? 0 : 1;
}
