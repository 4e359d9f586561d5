/* The C interface, used from C11: what it gives, and what it refuses. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <skincells/skincells_c.h>

static int failures = 0;
#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                  \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)
#define EXPECT_OK(call) expectCode(context, (call), SKINCELLS_OK, NULL, #call, __LINE__)
/* The call fails with this code, and the place of the error contains `place`. */
#define EXPECT_CODE(call, code, place) expectCode(context, (call), (code), (place), #call, __LINE__)

static void expectCode(skincells_context* context, skincells_code got, skincells_code wanted, const char* place,
                       const char* what, int line) {
  skincells_error error = {sizeof error, 0, NULL, NULL, NULL};
  skincells_last_error(context, &error);
  const int good = got == wanted && error.code == got && strcmp(error.name, skincells_code_name(got)) == 0 &&
                   (got == SKINCELLS_OK || *error.message) && (place == NULL || strstr(error.where, place) != NULL);
  if (good) return;
  fprintf(stderr, "%s:%d: %s: code %d (%s), message '%s', where '%s'\n", __FILE__, line, what, (int)got,
          skincells_code_name(got), error.message, error.where);
  ++failures;
}

enum { kRings = 17, kSides = 8, kVertices = kRings * kSides, kTriangles = (kRings - 1) * kSides * 2, kJoints = 3 };
typedef struct {
  float position[3];
  char padding[5]; /* an odd stride: nothing is aligned */
} Packed;
static double positions[kVertices][3];
static long long triangles[kTriangles][3];
static const double heads[kJoints][3] = {{0, 0, 0}, {0, 0.7, 0}, {0, 1.4, 0}};
static const int parents[kJoints] = {-1, 0, 1};
static const char* const names[kJoints] = {"hip", "knee", "foot"};

static void makeTube(void) {
  long long* corner = triangles[0];
  for (int r = 0; r < kRings; ++r)
    for (int s = 0; s < kSides; ++s) {
      double* p = positions[r * kSides + s];
      p[0] = (double)(float)(0.2 * cos(6.283185307 * s / kSides));
      p[1] = (double)(float)(2.0 * r / (kRings - 1));
      p[2] = (double)(float)(0.2 * sin(6.283185307 * s / kSides));
      if (r + 1 == kRings) continue;
      const int a = r * kSides + s, b = r * kSides + (s + 1) % kSides;
      const int quad[6] = {a, a + kSides, b + kSides, a, b + kSides, b};
      for (int k = 0; k < 6; ++k) *corner++ = quad[k];
    }
}

static skincells_character_desc tube(void) {
  skincells_character_desc desc = {sizeof desc};
  desc.name = "tube";
  desc.positions = (skincells_array){positions, kVertices, 0, SKINCELLS_F64};
  desc.triangles = (skincells_array){triangles, kTriangles, 0, SKINCELLS_I64};
  desc.heads = (skincells_array){heads, kJoints, 0, SKINCELLS_F64};
  desc.parents = (skincells_array){parents, kJoints, 0, SKINCELLS_I32};
  desc.names = names;
  return desc;
}

static skincells_character makeCharacter(skincells_context* context) {
  const skincells_character_desc desc = tube();
  skincells_character character = 0;
  EXPECT_OK(skincells_character_create(context, &desc, &character));
  return character;
}

static const char* text(skincells_context* context, skincells_bytes bytes) {
  const char* data = "";
  EXPECT_OK(skincells_bytes_data(context, bytes, &data, NULL));
  return data;
}

static int sameRows(const skincells_result_view* a, const skincells_result_view* b) {
  const size_t n = a->vertex_count * a->slots;
  return a->vertex_count == b->vertex_count && a->slots == b->slots &&
         memcmp(a->row_joints, b->row_joints, n * sizeof(uint16_t)) == 0 &&
         memcmp(a->row_weights, b->row_weights, n * sizeof(float)) == 0;
}

static void testVersions(void) {
  skincells_context* context = NULL;
  EXPECT(skincells_abi_version() == SKINCELLS_ABI_VERSION);
  EXPECT(strchr(skincells_version(), '.') != NULL);
  EXPECT(skincells_create(SKINCELLS_ABI_VERSION + 1, &context) == SKINCELLS_MISMATCH && context == NULL);
  EXPECT(skincells_create(SKINCELLS_ABI_VERSION, NULL) == SKINCELLS_INVALID_ARGUMENT);
  EXPECT(skincells_release(NULL, 1) == SKINCELLS_INVALID_ARGUMENT);
  EXPECT(skincells_last_error(NULL, NULL) == SKINCELLS_INVALID_ARGUMENT);
  EXPECT(strcmp(skincells_code_name(SKINCELLS_INVALID_OPTION), "invalid_option") == 0);
  EXPECT(strcmp(skincells_code_name(SKINCELLS_CANCELLED), "cancelled") == 0);
  EXPECT(strcmp(skincells_code_name(12345), "unknown") == 0);
  skincells_destroy(NULL);
}

static void testOptions(skincells_context* context) {
  skincells_options options = 0;
  skincells_bytes value = 0;
  size_t count = 0;
  EXPECT_OK(skincells_options_create(context, "bind", &options));
  EXPECT_OK(skincells_options_count(context, options, &count));
  int found = 0;
  for (size_t i = 0; i < count; ++i) {
    skincells_option_info info = {sizeof info, 0, NULL, NULL, NULL, NULL};
    EXPECT_OK(skincells_options_info(context, options, i, &info));
    EXPECT(*info.name && *info.help);
    EXPECT_OK(skincells_options_get(context, options, info.name, &value));
    EXPECT(strcmp(text(context, value), info.default_text) == 0);
    EXPECT_OK(skincells_release(context, value));
    if (strcmp(info.name, "max-influences") != 0) continue;
    found = info.kind == SKINCELLS_OPTION_INTEGER && strcmp(info.range, "1 .. 8") == 0 &&
            strcmp(info.default_text, "4") == 0;
  }
  EXPECT(found);
  EXPECT_OK(skincells_options_set(context, options, "max-influences", "2"));
  EXPECT_OK(skincells_options_get(context, options, "max-influences", &value));
  EXPECT(strcmp(text(context, value), "2") == 0);
  EXPECT_CODE(skincells_options_set(context, options, "max-influences", "9"), SKINCELLS_INVALID_OPTION, "max-influ");
  EXPECT_CODE(skincells_options_set(context, options, "max-influences", "two"), SKINCELLS_INVALID_OPTION, "max-influ");
  EXPECT_CODE(skincells_options_set(context, options, "quality", "best"), SKINCELLS_INVALID_OPTION, "quality");
  EXPECT_CODE(skincells_options_set(context, options, "no-such", "1"), SKINCELLS_INVALID_OPTION, "no-such");
  EXPECT_CODE(skincells_options_get(context, options, "no-such", &value), SKINCELLS_INVALID_OPTION, "no-such");
  EXPECT_CODE(skincells_options_set(context, options, NULL, "1"), SKINCELLS_INVALID_ARGUMENT, "name");
  EXPECT_CODE(skincells_options_set(context, options, "seed", NULL), SKINCELLS_INVALID_ARGUMENT, "value");
  EXPECT_CODE(skincells_options_create(context, "no-such", &options), SKINCELLS_INVALID_OPTION, "no-such");
  skincells_option_info info = {sizeof info, 0, NULL, NULL, NULL, NULL};
  EXPECT_CODE(skincells_options_info(context, options, count, &info), SKINCELLS_INVALID_ARGUMENT, "index");
  EXPECT_CODE(skincells_run(context, options, NULL, NULL), SKINCELLS_INVALID_ARGUMENT, "options");

  const char* const sets[] = {"read",         "write",       "apply",      "transfer",    "check",
                              "compare",      "render",      "view",       "bind_job",    "apply_job",
                              "transfer_job", "inspect_job", "check_job",  "compare_job", "lod_job",
                              "pose_job",     "render_job",  "report_job", "view_job"};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
    EXPECT_OK(skincells_options_create(context, sets[i], &options));
    EXPECT_OK(skincells_options_count(context, options, &count));
    EXPECT(count > 0);
    if (i < 8) EXPECT_CODE(skincells_run(context, options, NULL, NULL), SKINCELLS_INVALID_ARGUMENT, "options");
  }
}

/* One character given in four ways has one result, byte for byte. */
static void testLayouts(skincells_context* context) {
  skincells_options options = 0;
  EXPECT_OK(skincells_options_create(context, "bind", &options));
  EXPECT_OK(skincells_options_set(context, options, "quality", "draft"));
  static Packed packed[kVertices];
  static float backwards[kVertices][3];
  static uint16_t small[kTriangles][3];
  double matrices[kJoints][16];
  memset(matrices, 0, sizeof matrices);
  for (int v = 0; v < kVertices; ++v)
    for (int k = 0; k < 3; ++k) backwards[kVertices - 1 - v][k] = packed[v].position[k] = (float)positions[v][k];
  for (int t = 0; t < kTriangles; ++t)
    for (int k = 0; k < 3; ++k) small[t][k] = (uint16_t)triangles[t][k];
  for (int j = 0; j < kJoints; ++j) {
    for (int k = 0; k < 4; ++k) matrices[j][5 * k] = 1;
    memcpy(matrices[j] + 12, heads[j], sizeof heads[j]);
  }
  skincells_character_desc desc[4] = {tube(), tube(), tube(), tube()};
  desc[1].positions = (skincells_array){packed, kVertices, sizeof(Packed), SKINCELLS_F32};
  desc[2].positions = (skincells_array){backwards[kVertices - 1], kVertices, -12, SKINCELLS_F32};
  desc[2].triangles = (skincells_array){small, kTriangles, 0, SKINCELLS_U16};
  desc[3].heads.count = 0;
  desc[3].matrices = (skincells_array){matrices, kJoints, 0, SKINCELLS_F64};
  skincells_result_view first = {sizeof first};
  for (int i = 0; i < 4; ++i) {
    skincells_character character = 0;
    skincells_result result = 0;
    skincells_result_view view = {sizeof view};
    EXPECT_OK(skincells_character_create(context, &desc[i], &character));
    EXPECT_OK(skincells_bind(context, character, options, NULL, &result));
    EXPECT_OK(skincells_result_get(context, result, &view));
    if (i == 0) first = view;
    EXPECT(sameRows(&first, &view));
  }
}

static void testBind(skincells_context* context) {
  const skincells_character character = makeCharacter(context);
  skincells_character_view seen = {sizeof seen};
  skincells_joint_view joint = {sizeof joint};
  EXPECT_OK(skincells_character_get(context, character, &seen));
  EXPECT(seen.vertex_count == kVertices && seen.triangle_count == kTriangles && seen.joint_count == kJoints);
  EXPECT(seen.slots == 0 && seen.positions[4] == (float)positions[1][1] && seen.triangles[3] == triangles[1][0]);
  EXPECT_OK(skincells_character_joint(context, character, 1, &joint));
  EXPECT(strcmp(joint.name, "knee") == 0 && joint.parent == 0 && joint.matrix[13] == heads[1][1] &&
         joint.rest[15] == 1);

  skincells_result result = 0;
  skincells_result_view view = {sizeof view};
  EXPECT_OK(skincells_bind(context, character, 0, NULL, &result));
  EXPECT_OK(skincells_result_get(context, result, &view));
  EXPECT(view.vertex_count == kVertices && view.slots >= 1 && view.slots <= 4 && view.has_field == 1);
  EXPECT(*view.stop_reason && view.confidence != NULL && view.confidence[0] >= 0 && view.confidence[0] <= 1);
  for (size_t v = 0; v < view.vertex_count; ++v) {
    double sum = 0;
    for (size_t k = 0; k < view.slots; ++k) sum += (double)view.row_weights[v * view.slots + k];
    EXPECT(fabs(sum - 1) < 1e-5);
  }
  EXPECT(view.row_joints[0] == 0 && view.row_joints[(kVertices - 1) * view.slots] == 2);
  EXPECT(view.warning_count == 1); /* three joints are fewer than four influences */
  skincells_error warning = {sizeof warning, 0, NULL, NULL, NULL};
  EXPECT_OK(skincells_result_warning(context, result, 0, &warning));
  EXPECT(strcmp(warning.name, "bind.few_joints") == 0 && *warning.message);
  EXPECT_CODE(skincells_result_warning(context, result, 1, &warning), SKINCELLS_INVALID_ARGUMENT, "index");

  skincells_bytes json = 0;
  EXPECT_OK(skincells_result_report(context, result, &json));
  EXPECT(strstr(text(context, json), "\"loss_curves\"") && strstr(text(context, json), "\"knee\""));

  /* The field gives the bound mesh its weights again, also after a round through bytes. */
  skincells_field field = 0, again = 0;
  skincells_bytes bytes = 0;
  const char* data = NULL;
  size_t size = 0;
  EXPECT_OK(skincells_result_field(context, result, &field));
  EXPECT_OK(skincells_field_encode(context, field, &bytes));
  EXPECT_OK(skincells_bytes_data(context, bytes, &data, &size));
  EXPECT_OK(skincells_field_decode(context, data, size, &again));
  skincells_result applied = 0;
  skincells_result_view applied_view = {sizeof applied_view};
  EXPECT_OK(skincells_apply(context, again, character, 0, &applied));
  EXPECT_OK(skincells_result_get(context, applied, &applied_view));
  EXPECT(sameRows(&view, &applied_view));
  EXPECT_OK(skincells_result_report(context, applied, &json));
  EXPECT_CODE(skincells_result_field(context, applied, &field), SKINCELLS_UNSUPPORTED_FEATURE, "result");

  skincells_field_view field_view = {sizeof field_view};
  const char* name = NULL;
  EXPECT_OK(skincells_field_get(context, field, &field_view));
  EXPECT(field_view.joint_count == kJoints && field_view.normals == 1 && field_view.box[4] == 2);
  EXPECT_OK(skincells_field_joint(context, field, 2, &name));
  EXPECT(strcmp(name, "foot") == 0);
  EXPECT_CODE(skincells_field_joint(context, field, 3, &name), SKINCELLS_INVALID_ARGUMENT, "index");

  const skincells_array points = {positions, kVertices, 0, SKINCELLS_F64};
  skincells_result evaluated = 0;
  EXPECT_OK(skincells_field_evaluate(context, field, &points, NULL, 1, &evaluated));
  EXPECT_OK(skincells_result_get(context, evaluated, &applied_view));
  EXPECT(applied_view.vertex_count == kVertices && applied_view.slots == 1 && applied_view.row_weights[0] == 1);
  EXPECT_CODE(skincells_field_evaluate(context, field, &points, NULL, 9, &evaluated), SKINCELLS_INVALID_OPTION, "max");
  EXPECT_CODE(skincells_field_evaluate(context, field, NULL, NULL, 0, &evaluated), SKINCELLS_INVALID_ARGUMENT, "pos");
  const skincells_array few = {positions, 3, 0, SKINCELLS_F64};
  EXPECT_CODE(skincells_field_evaluate(context, field, &points, &few, 0, &evaluated), SKINCELLS_MISMATCH, "normals");
  EXPECT_CODE(skincells_result_report(context, evaluated, &json), SKINCELLS_INVALID_ARGUMENT, "result");
  EXPECT_CODE(skincells_field_decode(context, "nonsense", 8, &again), SKINCELLS_INVALID_FILE, "memory");
  EXPECT_CODE(skincells_field_decode(context, NULL, 8, &again), SKINCELLS_INVALID_ARGUMENT, "data");
  EXPECT_CODE(skincells_field_read(context, "no_such.skc", &again), SKINCELLS_FILE_NOT_FOUND, "no_such.skc");
}

/* Weights that are carried over, measured, checked, drawn and written. */
static void testSkins(skincells_context* context, const char* folder) {
  const skincells_character bare = makeCharacter(context);
  skincells_result result = 0, carried = 0;
  skincells_character skinned = 0, other = 0, read = 0;
  skincells_options options = 0;
  skincells_bytes bytes = 0;
  const char* data = NULL;
  size_t size = 0;
  EXPECT_OK(skincells_bind(context, bare, 0, NULL, &result));
  EXPECT_OK(skincells_result_character(context, result, &skinned));
  EXPECT_OK(skincells_options_create(context, "transfer", &options));
  EXPECT_OK(skincells_options_set(context, options, "via", "field"));
  EXPECT_OK(skincells_transfer(context, skinned, bare, options, NULL, &carried));
  EXPECT_OK(skincells_result_report(context, carried, &bytes));
  EXPECT_OK(skincells_result_character(context, carried, &other));
  skincells_field field = 0;
  EXPECT_OK(skincells_result_field(context, carried, &field));
  EXPECT_CODE(skincells_transfer(context, bare, skinned, 0, NULL, &carried), SKINCELLS_MISMATCH, NULL);

  skincells_metrics metrics = {sizeof metrics};
  EXPECT_OK(skincells_compare(context, skinned, skinned, 0, &metrics, &bytes));
  EXPECT(metrics.pose_count == 20 && metrics.error_max == 0 && metrics.stretch_rms > 0 && metrics.max_influences <= 4);
  EXPECT_OK(skincells_compare(context, skinned, other, 0, &metrics, NULL));
  EXPECT(metrics.error_rms > 0 && metrics.error_rms < 2);
  EXPECT_CODE(skincells_compare(context, skinned, bare, 0, &metrics, NULL), SKINCELLS_MISMATCH, "other");

  skincells_verdict verdict = 0;
  skincells_verdict_view judged = {sizeof judged};
  skincells_finding finding = {sizeof finding};
  EXPECT_OK(skincells_judge(context, skinned, NULL, &verdict));
  EXPECT_OK(skincells_verdict_get(context, verdict, &judged));
  EXPECT(judged.grade >= SKINCELLS_GOOD && judged.grade <= SKINCELLS_BAD && judged.finding_count > 0 && *judged.poses);
  EXPECT_OK(skincells_verdict_finding(context, verdict, 0, &finding));
  EXPECT(finding.grade == judged.grade && *finding.name && *finding.label && finding.good <= finding.bad);
  EXPECT_CODE(skincells_verdict_finding(context, verdict, judged.finding_count, &finding), SKINCELLS_INVALID_ARGUMENT,
              "index");
  EXPECT_CODE(skincells_judge(context, bare, NULL, &verdict), SKINCELLS_MISMATCH, "character");
  EXPECT_CODE(skincells_judge(context, skinned, "no_such.json", &verdict), SKINCELLS_FILE_NOT_FOUND, "--gate");

  int32_t passed = -1;
  EXPECT_OK(skincells_check(context, skinned, 0, &passed, &bytes));
  EXPECT(passed == 1 && strstr(text(context, bytes), "\"passed\": true"));
  EXPECT_CODE(skincells_check(context, bare, 0, &passed, NULL), SKINCELLS_MISMATCH, "character");
  EXPECT_CODE(skincells_check(context, skinned, options, &passed, NULL), SKINCELLS_INVALID_ARGUMENT, "options");

  EXPECT_OK(skincells_render(context, skinned, 0, &bytes));
  EXPECT_OK(skincells_bytes_data(context, bytes, &data, &size));
  EXPECT(size > 1000 && memcmp(data + 1, "PNG", 3) == 0);
  const skincells_code viewed = skincells_view(context, result, 0, &bytes);
  EXPECT(viewed == SKINCELLS_OK || viewed == SKINCELLS_UNSUPPORTED_FEATURE); /* built without npm */
  if (viewed == SKINCELLS_OK) EXPECT(strstr(text(context, bytes), "<html") != NULL);

  /* Written and read again: the same character. */
  char path[1024];
  snprintf(path, sizeof path, "%s/tube.glb", folder);
  EXPECT_OK(skincells_options_create(context, "write", &options));
  EXPECT_OK(skincells_options_set(context, options, "force", "true"));
  EXPECT_OK(skincells_options_set(context, options, "quantize", "f32"));
  EXPECT_OK(skincells_result_field(context, result, &field));
  EXPECT_OK(skincells_character_write(context, skinned, path, field, options));
  EXPECT_CODE(skincells_character_write(context, skinned, path, 0, 0), SKINCELLS_CANNOT_WRITE, "tube.glb");
  EXPECT_CODE(skincells_character_write(context, bare, path, 0, options), SKINCELLS_MISMATCH, "character");
  EXPECT_OK(skincells_character_read(context, path, 0, &read));
  skincells_character_view a = {sizeof a}, b = {sizeof b};
  EXPECT_OK(skincells_character_get(context, skinned, &a));
  EXPECT_OK(skincells_character_get(context, read, &b));
  EXPECT(a.vertex_count == b.vertex_count && memcmp(a.positions, b.positions, kVertices * 12) == 0);
  EXPECT(a.slots <= b.slots && a.joint_count == b.joint_count);
  for (size_t v = 0; v < a.vertex_count; ++v)
    for (size_t k = 0; k < a.slots; ++k)
      EXPECT(fabsf(a.row_weights[v * a.slots + k] - b.row_weights[v * b.slots + k]) < 1e-6F);
  EXPECT_OK(skincells_field_read(context, path, &field));

  /* The same through a job on files. */
  skincells_options job = 0;
  EXPECT_OK(skincells_options_create(context, "check_job", &job));
  EXPECT_OK(skincells_options_set(context, job, "input", path));
  EXPECT_OK(skincells_run(context, job, NULL, &bytes));
  EXPECT(strstr(text(context, bytes), "\"passed\": true") != NULL);
  EXPECT_OK(skincells_options_set(context, job, "input", "no_such.glb"));
  EXPECT_CODE(skincells_run(context, job, NULL, &bytes), SKINCELLS_FILE_NOT_FOUND, "no_such.glb");
  EXPECT_CODE(skincells_character_read(context, "no_such.glb", 0, &read), SKINCELLS_FILE_NOT_FOUND, "no_such.glb");
}

static skincells_code create(skincells_context* context, skincells_character_desc desc) {
  skincells_character character = 0;
  const skincells_code code = skincells_character_create(context, &desc, &character);
  EXPECT((character != 0) == (code == SKINCELLS_OK));
  return code;
}

static void testBadCharacters(skincells_context* context) {
  const skincells_character_desc good = tube();
  skincells_character_desc bad = good;
  skincells_character character = 0;
  EXPECT_OK(create(context, good));
  EXPECT_CODE(skincells_character_create(context, NULL, &character), SKINCELLS_INVALID_ARGUMENT, "desc");
  EXPECT_CODE(skincells_character_create(context, &good, NULL), SKINCELLS_INVALID_ARGUMENT, "character");
  bad.size = 0;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "desc");
  bad.size = sizeof bad + 8;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "desc");
  bad = good, bad.positions.count = 0, bad.triangles.count = 0;
  EXPECT_CODE(create(context, bad), SKINCELLS_NO_MESH, "tube");
  bad = good, bad.heads.count = 0, bad.parents.count = 0;
  EXPECT_CODE(create(context, bad), SKINCELLS_NO_SKELETON, "tube");
  bad = good, bad.positions.data = NULL;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "positions");
  bad = good, bad.positions.type = 99;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "positions");
  bad = good, bad.positions.stride = 8;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "positions");
  bad = good, bad.positions.stride = -8;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "positions");
  bad = good, bad.positions.count = (size_t)1 << 40;
  EXPECT_CODE(create(context, bad), SKINCELLS_TOO_LARGE, "positions");
  bad = good, bad.triangles.type = SKINCELLS_F64;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "triangles");
  bad = good, bad.positions.count = 10;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "triangles[");
  bad = good, bad.parents.count = 2;
  EXPECT_CODE(create(context, bad), SKINCELLS_MISMATCH, "parents");
  bad = good, bad.matrices = good.heads;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "heads");
  bad = good, bad.up_axis = 'q';
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "up_axis");
  bad = good, bad.meters_per_unit = NAN;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "meters_per_unit");
  const int cyclic[kJoints] = {2, 0, 1}, outside[kJoints] = {-1, 0, 3}, below[kJoints] = {-1, 0, -2};
  bad = good, bad.parents.data = cyclic;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "joint '");
  bad.parents.data = outside;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "parents[2]");
  bad.parents.data = below;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "parents[2]");
  double broken[kVertices][3];
  memcpy(broken, positions, sizeof broken);
  broken[7][1] = NAN;
  bad = good, bad.positions.data = broken;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "positions[7]");
  double matrices[kJoints][16];
  memset(matrices, 0, sizeof matrices);
  bad = good, bad.heads.count = 0, bad.matrices = (skincells_array){matrices, kJoints, 0, SKINCELLS_F64};
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "matrices[0]"); /* the last row */
  for (int j = 0; j < kJoints; ++j) matrices[j][15] = 1;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "matrices[0]"); /* singular */
  static unsigned char rows[kVertices];
  static float weights[kVertices];
  for (int v = 0; v < kVertices; ++v) weights[v] = 1;
  bad = good, bad.slots = 1;
  bad.row_joints = (skincells_array){rows, kVertices, 0, SKINCELLS_U8};
  bad.row_weights = (skincells_array){weights, kVertices, 0, SKINCELLS_F32};
  EXPECT_OK(create(context, bad));
  rows[9] = 200;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "row_joints[9]");
  rows[9] = 0, weights[9] = -1;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_FILE, "row_weights[9]");
  bad.row_weights.count = 3;
  EXPECT_CODE(create(context, bad), SKINCELLS_MISMATCH, "row_");
  bad.slots = 0;
  EXPECT_CODE(create(context, bad), SKINCELLS_INVALID_ARGUMENT, "slots");
}

static void testHandles(skincells_context* context) {
  const skincells_character character = makeCharacter(context);
  skincells_result result = 0;
  skincells_result_view view = {sizeof view};
  skincells_options read = 0;
  EXPECT_OK(skincells_options_create(context, "read", &read));
  EXPECT_CODE(skincells_bind(context, character, read, NULL, &result), SKINCELLS_INVALID_ARGUMENT, "options");
  EXPECT_CODE(skincells_bind(context, read, 0, NULL, &result), SKINCELLS_INVALID_ARGUMENT, "character");
  EXPECT_CODE(skincells_bind(context, 0, 0, NULL, &result), SKINCELLS_INVALID_ARGUMENT, "character");
  EXPECT_CODE(skincells_bind(context, 987654321, 0, NULL, &result), SKINCELLS_INVALID_ARGUMENT, "character");
  EXPECT_CODE(skincells_bind(context, character, 0, NULL, NULL), SKINCELLS_INVALID_ARGUMENT, "result");
  const skincells_control negative = {sizeof negative, NULL, NULL, -1};
  EXPECT_CODE(skincells_bind(context, character, 0, &negative, &result), SKINCELLS_INVALID_ARGUMENT, "control");
  EXPECT_CODE(skincells_result_get(context, character, &view), SKINCELLS_INVALID_ARGUMENT, "result");
  size_t before = 0, after = 0;
  EXPECT_OK(skincells_object_count(context, &before));
  EXPECT_OK(skincells_release(context, character));
  EXPECT_OK(skincells_object_count(context, &after));
  EXPECT(after == before - 1);
  EXPECT_CODE(skincells_bind(context, character, 0, NULL, &result), SKINCELLS_INVALID_ARGUMENT, "character");
  EXPECT_CODE(skincells_release(context, character), SKINCELLS_INVALID_ARGUMENT, "handle");
  EXPECT_OK(skincells_release(context, 0));
  view.size = 0;
  EXPECT_CODE(skincells_result_get(context, result, &view), SKINCELLS_INVALID_ARGUMENT, NULL);
  EXPECT(result == 0);
}

/* A struct whose size was never set. */
static void testWrongSizes(skincells_context* context) {
  const skincells_character character = makeCharacter(context);
  skincells_character_view view;
  memset(&view, 0, sizeof view);
  EXPECT_CODE(skincells_character_get(context, character, &view), SKINCELLS_INVALID_ARGUMENT, "view");
  memset(&view, 0xff, sizeof view);
  EXPECT_CODE(skincells_character_get(context, character, &view), SKINCELLS_INVALID_ARGUMENT, "view");
}

/* A program compiled with an earlier, smaller struct gets what it has room for. */
static void testSmallStructs(skincells_context* context) {
  const skincells_character character = makeCharacter(context);
  skincells_character_view view = {sizeof view};
  view.size = offsetof(skincells_character_view, positions);
  view.positions = (const float*)&view;
  EXPECT_OK(skincells_character_get(context, character, &view));
  EXPECT(view.vertex_count == kVertices && view.positions == (const float*)&view);
}

static int stopAt(void* user, const skincells_progress* progress) {
  return strcmp(progress->stage, user) == 0;
}

static int discardAt(void* user, const skincells_progress* progress) {
  return strcmp(progress->stage, user) == 0 ? SKINCELLS_DISCARD : SKINCELLS_GO_ON;
}

static void testCancel(skincells_context* context) {
  const skincells_character character = makeCharacter(context);
  skincells_result result = 0;
  skincells_control control = {sizeof control, stopAt, "guess", 1};
  EXPECT_CODE(skincells_bind(context, character, 0, &control, &result), SKINCELLS_CANCELLED, NULL);
  EXPECT(result == 0);
  control.user = "losses";
  skincells_result_view view = {sizeof view};
  EXPECT_OK(skincells_bind(context, character, 0, &control, &result));
  EXPECT_OK(skincells_result_get(context, result, &view));
  EXPECT(strcmp(view.stop_reason, "cancelled") == 0 && view.vertex_count == kVertices);

  result = 0;
  control.progress = discardAt;
  EXPECT_CODE(skincells_bind(context, character, 0, &control, &result), SKINCELLS_CANCELLED, NULL);
  EXPECT(result == 0);
}

typedef struct {
  skincells_context* context;
  skincells_character character;
  skincells_options options;
  skincells_result_view expected;
  int good;
} Work;

/* All threads use the same handles; each sees its own errors. */
static void* bindAndFail(void* user) {
  Work* work = user;
  work->good = 1;
  for (int i = 0; i < 2; ++i) {
    skincells_result result = 0;
    skincells_result_view view = {sizeof view};
    skincells_error error = {sizeof error, 0, NULL, NULL, NULL};
    skincells_bind(work->context, work->character, work->options, NULL, &result);
    work->good = work->good && skincells_result_get(work->context, result, &view) == SKINCELLS_OK &&
                 sameRows(&view, &work->expected);
    skincells_release(work->context, result);
    skincells_result_get(work->context, result, &view);
    skincells_last_error(work->context, &error);
    work->good = work->good && error.code == SKINCELLS_INVALID_ARGUMENT && strstr(error.message, "released") != NULL;
  }
  return NULL;
}

static void testThreads(skincells_context* context) {
  enum { kThreads = 8 };
  const skincells_character character = makeCharacter(context);
  skincells_options options = 0;
  skincells_result result = 0;
  skincells_result_view expected = {sizeof expected};
  EXPECT_OK(skincells_options_create(context, "bind", &options));
  EXPECT_OK(skincells_options_set(context, options, "quality", "draft"));
  EXPECT_OK(skincells_bind(context, character, options, NULL, &result));
  EXPECT_OK(skincells_result_get(context, result, &expected));
  Work work[kThreads];
  pthread_t threads[kThreads];
  for (int t = 0; t < kThreads; ++t) {
    work[t] = (Work){context, character, options, expected, 0};
    EXPECT(pthread_create(&threads[t], NULL, bindAndFail, &work[t]) == 0);
  }
  for (int t = 0; t < kThreads; ++t) {
    pthread_join(threads[t], NULL);
    EXPECT(work[t].good);
  }
}

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  makeTube();
  testVersions();
  skincells_context* context = NULL;
  if (skincells_create(SKINCELLS_ABI_VERSION, &context) != SKINCELLS_OK) return 1;
  testOptions(context);
  testLayouts(context);
  testBind(context);
  testSkins(context, argv[1]);
  testBadCharacters(context);
  testHandles(context);
  testWrongSizes(context);
  testSmallStructs(context);
  testCancel(context);
  testThreads(context);
  skincells_destroy(context);
  if (failures == 0) printf("capi: all good\n");
  return failures == 0 ? 0 : 1;
}
