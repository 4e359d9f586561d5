/* skincells from C: a stable interface over memory and files (docs/c.md). C11 and C++.
 *
 * Objects live in a context and are named by handles. A handle is never used twice, so that a released one is an error,
 * not a crash. All functions that take a context may be called from several threads at once, also on the same context
 * and on the same handles; only skincells_destroy must be alone. No function throws, prints or has global state.
 *
 * Functions return a skincells_code. After one that is not SKINCELLS_OK, skincells_last_error says what was wrong and
 * where; outputs are then unchanged.
 *
 * A struct that starts with `size` must be told its size, so that programs keep working with later versions that add
 * fields: skincells_error error = {sizeof error};
 * Pointers in outputs belong to an object and are valid until it is released. */
#ifndef SKINCELLS_C_H
#define SKINCELLS_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SKINCELLS_API __attribute__((visibility("default")))
#else
#define SKINCELLS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a program must be compiled again. */
#define SKINCELLS_ABI_VERSION 1

typedef struct skincells_context skincells_context;

/* Handles; 0 is none. */
typedef uint64_t skincells_handle;
typedef skincells_handle skincells_character; /* mesh, skeleton, perhaps weights */
typedef skincells_handle skincells_options;   /* values of the options of one call */
typedef skincells_handle skincells_result;    /* weights and a report */
typedef skincells_handle skincells_field;     /* skin cells: weights at every point in space */
typedef skincells_handle skincells_bytes;     /* a text, a picture, a file in memory */
typedef skincells_handle skincells_verdict;   /* how good weights are, and why */

/* Values never change; later versions may add some. */
typedef int32_t skincells_code;
enum {
  SKINCELLS_OK = 0,
  SKINCELLS_INVALID_OPTION = 1,      /* an option is unknown or has a value outside its range */
  SKINCELLS_FILE_NOT_FOUND = 2,      /* the file, or one it refers to, does not exist or cannot be opened */
  SKINCELLS_UNSAFE_REFERENCE = 3,    /* a file refers to something outside its own folder */
  SKINCELLS_INVALID_FILE = 4,        /* the file, or an array, has numbers that make no sense */
  SKINCELLS_TOO_LARGE = 5,           /* implausibly large sizes */
  SKINCELLS_UNSUPPORTED_FEATURE = 6, /* valid, but this version or build does not have it */
  SKINCELLS_NO_MESH = 7,             /* there is no vertex */
  SKINCELLS_NO_SKELETON = 8,         /* there is no joint */
  SKINCELLS_AMBIGUOUS_SKELETON = 9,  /* several node trees could be the skeleton */
  SKINCELLS_NO_JOINTS = 10,          /* the choice of joints dropped every joint */
  SKINCELLS_MISMATCH = 11,           /* two inputs that must describe the same thing do not */
  SKINCELLS_IMPORT_FAILED = 12,      /* the import program failed on a foreign file */
  SKINCELLS_CANNOT_WRITE = 13,       /* the output cannot be written, or exists */
  SKINCELLS_CANCELLED = 14,          /* stopped by the caller before there was a result */
  SKINCELLS_INVALID_ARGUMENT = 100,  /* a null pointer, a released handle or one of another kind, a wrong size */
  SKINCELLS_OUT_OF_MEMORY = 101,
  SKINCELLS_INTERNAL = 102, /* a bug of this library: please report it */
};

/* The type of the numbers in an array. */
enum {
  SKINCELLS_F32 = 0,
  SKINCELLS_F64 = 1,
  SKINCELLS_U8 = 2,
  SKINCELLS_U16 = 3,
  SKINCELLS_U32 = 4,
  SKINCELLS_U64 = 5,
  SKINCELLS_I32 = 6,
  SKINCELLS_I64 = 7,
};

/* Elements at a fixed distance in memory, read during the call only. The numbers of one element (say, x, y, z) are
 * adjacent. An array of count 0 is absent. */
typedef struct skincells_array {
  const void* data;
  size_t count;   /* elements */
  int64_t stride; /* bytes from one element to the next, may be negative; 0: no gap */
  int32_t type;   /* SKINCELLS_F32, ... */
} skincells_array;

typedef struct skincells_error {
  size_t size;
  skincells_code code;
  const char* name;    /* "invalid_option", ... */
  const char* message; /* what is wrong and what to do about it */
  const char* where;   /* file, vertex, joint, option, argument, ...; may be empty */
} skincells_error;

typedef struct skincells_progress {
  size_t size;
  const char* stage;
  double fraction;     /* share of the whole work, 0 .. 1 */
  double loss;         /* most recent loss; NaN: the stage has none */
  double seconds_left; /* estimate for the whole work; NaN: not yet known */
} skincells_progress;

/* What a progress function returns. */
enum {
  SKINCELLS_GO_ON = 0,
  SKINCELLS_STOP = 1,    /* end soon with the best result so far, or with SKINCELLS_CANCELLED if there is none yet */
  SKINCELLS_DISCARD = 2, /* end at once with SKINCELLS_CANCELLED: nobody wants a result */
};

/* Called repeatedly during the work, in the thread of the call. */
typedef int (*skincells_progress_function)(void* user, const skincells_progress* progress);

/* How a call works; a null pointer for all defaults. */
typedef struct skincells_control {
  size_t size;
  skincells_progress_function progress; /* may be null */
  void* user;                           /* passed to progress */
  int32_t threads; /* most threads in use by all calls of this process during the call; 0: no limit */
} skincells_control;

/* --- Versions, contexts, errors ------------------------------------------------------------------------------------
 */

SKINCELLS_API const char* skincells_version(void); /* "0.1.0" */
SKINCELLS_API uint32_t skincells_abi_version(void);
/* The name of a code, as in reports: "invalid_option"; "unknown" for a code that this version does not know. */
SKINCELLS_API const char* skincells_code_name(skincells_code code);

/* abi_version: SKINCELLS_ABI_VERSION. SKINCELLS_MISMATCH if the library has another one. */
SKINCELLS_API skincells_code skincells_create(uint32_t abi_version, skincells_context** context);
/* Releases all objects of the context. Null is fine. */
SKINCELLS_API void skincells_destroy(skincells_context* context);
/* What went wrong in the last call of this thread on this context; code SKINCELLS_OK if nothing did. The texts are
 * valid until the next call of this thread on this context. */
SKINCELLS_API skincells_code skincells_last_error(skincells_context* context, skincells_error* error);
/* Ends the life of an object, as soon as calls that use it have returned. Handle 0 is fine. */
SKINCELLS_API skincells_code skincells_release(skincells_context* context, skincells_handle handle);
/* How many objects the context has. */
SKINCELLS_API skincells_code skincells_object_count(skincells_context* context, size_t* count);

/* --- Options -------------------------------------------------------------------------------------------------------
 */

/* Kinds of values. All are given and returned as text, as on the command line. */
enum {
  SKINCELLS_OPTION_FLAG = 0,
  SKINCELLS_OPTION_INTEGER = 1,
  SKINCELLS_OPTION_REAL = 2,
  SKINCELLS_OPTION_TEXT = 3,
  SKINCELLS_OPTION_CHOICE = 4,
};

typedef struct skincells_option_info {
  size_t size;
  int32_t kind;
  const char* name;         /* "max-influences" */
  const char* help;         /* meaning, with its unit */
  const char* range;        /* "1 .. 8", "draft | normal"; empty: every value is fine */
  const char* default_text; /* as one would type it */
} skincells_option_info;

/* The options of one function or job, at their defaults. Sets: "read", "write", "bind", "apply", "transfer", "check",
 * "compare", "render", "view"; and for skincells_run the jobs "bind_job", "apply_job", "transfer_job", "inspect_job",
 * "check_job", "compare_job", "lod_job", "pose_job", "render_job", "report_job", "view_job". */
SKINCELLS_API skincells_code skincells_options_create(skincells_context* context, const char* set,
                                                      skincells_options* options);
SKINCELLS_API skincells_code skincells_options_count(skincells_context* context, skincells_options options,
                                                     size_t* count);
SKINCELLS_API skincells_code skincells_options_info(skincells_context* context, skincells_options options, size_t index,
                                                    skincells_option_info* info);
SKINCELLS_API skincells_code skincells_options_set(skincells_context* context, skincells_options options,
                                                   const char* name, const char* value);
/* The value as text. */
SKINCELLS_API skincells_code skincells_options_get(skincells_context* context, skincells_options options,
                                                   const char* name, skincells_bytes* value);

/* --- Bytes ---------------------------------------------------------------------------------------------------------
 */

/* A zero follows the bytes, so that a text is a C string. size may be null. */
SKINCELLS_API skincells_code skincells_bytes_data(skincells_context* context, skincells_bytes bytes, const char** data,
                                                  size_t* size);

/* --- Characters ----------------------------------------------------------------------------------------------------
 */

/* A character in memory. Everything is copied and checked when it is created. */
typedef struct skincells_character_desc {
  size_t size;
  const char* name;            /* for messages and reports; may be null */
  skincells_array positions;   /* x, y, z */
  skincells_array triangles;   /* three vertices each; may be absent */
  skincells_array heads;       /* where the joints are: x, y, z. Either these or matrices. */
  skincells_array matrices;    /* joint space -> space of the mesh, in bind pose: 16 numbers, column by column */
  skincells_array rest;        /* the same in the rest pose of the node tree; absent: as in bind pose */
  skincells_array parents;     /* one joint index each, -1: none; absent: all joints are roots */
  const char* const* names;    /* of the joints, UTF-8; null: joint_0, joint_1, ... */
  const char* const* bones;    /* humanoid bones as in VRM ("leftUpperArm"), empty: none; null: all empty */
  skincells_array row_joints;  /* weights the mesh has already: `slots` joints per vertex; may be absent */
  skincells_array row_weights; /* their weights; rows need not be sorted or sum to 1 */
  size_t slots;
  double meters_per_unit; /* 0: 1 */
  char up_axis;           /* 'x', 'y', 'z', negative: 'X', 'Y', 'Z'; 0: unknown */
} skincells_character_desc;

SKINCELLS_API skincells_code skincells_character_create(skincells_context* context,
                                                        const skincells_character_desc* desc,
                                                        skincells_character* character);
/* Reads .glb, .gltf, .vrm, and what the import program reads (.fbx, ...). options: "read", or 0. */
SKINCELLS_API skincells_code skincells_character_read(skincells_context* context, const char* path,
                                                      skincells_options options, skincells_character* character);
/* Writes .glb, .gltf or .vrm. A character from a file keeps everything but the weights. field: also embedded in the
 * file, or 0. options: "write", or 0. */
SKINCELLS_API skincells_code skincells_character_write(skincells_context* context, skincells_character character,
                                                       const char* path, skincells_field field,
                                                       skincells_options options);

typedef struct skincells_character_view {
  size_t size;
  const char* name;
  size_t vertex_count;
  const float* positions; /* 3 per vertex, in bind space */
  size_t triangle_count;
  const uint32_t* triangles; /* 3 per triangle */
  size_t joint_count;
  size_t slots;               /* of the weights; 0: there are none */
  const uint16_t* row_joints; /* slots per vertex; joint 0 with weight 0 where unused */
  const float* row_weights;   /* descending, sum 1; all 0 for a vertex without weights */
  double meters_per_unit;
  char up_axis; /* '?': unknown */
} skincells_character_view;

typedef struct skincells_joint_view {
  size_t size;
  const char* name;
  const char* bone;  /* humanoid bone; empty: none */
  int32_t parent;    /* -1: none */
  double matrix[16]; /* joint space -> bind space, column by column */
  double rest[16];
} skincells_joint_view;

SKINCELLS_API skincells_code skincells_character_get(skincells_context* context, skincells_character character,
                                                     skincells_character_view* view);
SKINCELLS_API skincells_code skincells_character_joint(skincells_context* context, skincells_character character,
                                                       size_t index, skincells_joint_view* view);

/* --- Weights -------------------------------------------------------------------------------------------------------
 */

/* Computes weights. options: "bind", or 0; control may be null. */
SKINCELLS_API skincells_code skincells_bind(skincells_context* context, skincells_character character,
                                            skincells_options options, const skincells_control* control,
                                            skincells_result* result);
/* The weights of source for the mesh of target, which has joints of the same names. options: "transfer", or 0. */
SKINCELLS_API skincells_code skincells_transfer(skincells_context* context, skincells_character source,
                                                skincells_character target, skincells_options options,
                                                const skincells_control* control, skincells_result* result);
/* The weights of a field for another mesh of its character. options: "apply", or 0. */
SKINCELLS_API skincells_code skincells_apply(skincells_context* context, skincells_field field,
                                             skincells_character character, skincells_options options,
                                             skincells_result* result);

typedef struct skincells_result_view {
  size_t size;
  size_t vertex_count;
  size_t slots;               /* most joints per vertex */
  const uint16_t* row_joints; /* slots per vertex; joint 0 with weight 0 where unused */
  const float* row_weights;   /* descending, sum 1 */
  size_t warning_count;
  const char* stop_reason; /* "done", "settled", "cancelled", ...: why the optimization ended */
  int32_t has_field;       /* 1: skincells_result_field gives one */
  const float* confidence; /* how sure a bind is of each vertex, 0 .. 1; null: not known */
} skincells_result_view;

SKINCELLS_API skincells_code skincells_result_get(skincells_context* context, skincells_result result,
                                                  skincells_result_view* view);
/* Odd but usable input. The struct's code is SKINCELLS_OK, its name the stable code of the warning. */
SKINCELLS_API skincells_code skincells_result_warning(skincells_context* context, skincells_result result, size_t index,
                                                      skincells_error* warning);
/* The report as JSON (docs/report.schema.json); computed when asked for. Not for evaluated points. */
SKINCELLS_API skincells_code skincells_result_report(skincells_context* context, skincells_result result,
                                                     skincells_bytes* json);
/* The field of a bind, or of a transfer via field. SKINCELLS_UNSUPPORTED_FEATURE if the result has none. */
SKINCELLS_API skincells_code skincells_result_field(skincells_context* context, skincells_result result,
                                                    skincells_field* field);
/* The character with these weights. Not for evaluated points. */
SKINCELLS_API skincells_code skincells_result_character(skincells_context* context, skincells_result result,
                                                        skincells_character* character);

/* --- Fields --------------------------------------------------------------------------------------------------------
 */

typedef struct skincells_field_view {
  size_t size;
  size_t joint_count;     /* joints that the field gives weights of */
  size_t max_influences;  /* most joints per point */
  int32_t normals;        /* 1: the field sees normals */
  size_t part_count;      /* parts of the mesh with rows of their own, which only skincells_apply knows */
  double box[6];          /* of the mesh that was bound: smallest x, y, z, largest x, y, z */
  double meters_per_unit; /* 1 if unknown */
  char up_axis;           /* '?': unknown */
} skincells_field_view;

/* Reads a field file (.skc), or the field embedded in a glTF file. */
SKINCELLS_API skincells_code skincells_field_read(skincells_context* context, const char* path, skincells_field* field);
SKINCELLS_API skincells_code skincells_field_decode(skincells_context* context, const void* data, size_t size,
                                                    skincells_field* field);
/* Writes a field file. replace: 1 to replace an existing file. */
SKINCELLS_API skincells_code skincells_field_write(skincells_context* context, skincells_field field, const char* path,
                                                   int32_t replace);
SKINCELLS_API skincells_code skincells_field_encode(skincells_context* context, skincells_field field,
                                                    skincells_bytes* bytes);
SKINCELLS_API skincells_code skincells_field_get(skincells_context* context, skincells_field field,
                                                 skincells_field_view* view);
/* The name of a joint of the field. */
SKINCELLS_API skincells_code skincells_field_joint(skincells_context* context, skincells_field field, size_t index,
                                                   const char** name);
/* Weights at points of the field's bind space; rows are over the field's joints. normals: one per point, of unit
 * length; may be absent. max_influences: at most the field's; 0: the field's. */
SKINCELLS_API skincells_code skincells_field_evaluate(skincells_context* context, skincells_field field,
                                                      const skincells_array* positions, const skincells_array* normals,
                                                      size_t max_influences, skincells_result* result);

/* --- How good is it? -----------------------------------------------------------------------------------------------
 */

/* Lengths in % of the bounding-box diagonal, over all vertices and random poses. */
typedef struct skincells_metrics {
  size_t size;
  size_t pose_count;
  double error_rms, error_p95, error_max; /* distance to the reference skin */
  double half_l1;                         /* mean half L1 distance of rows, 0 .. 1 */
  double stretch_rms, stretch_p99;        /* of |ln(posed / bind edge length)| */
  double extreme_edges_percent;           /* edges stretched or shrunk by more than a factor of two */
  double flipped_percent;                 /* triangles flipped or collapsed */
  double volume_percent;                  /* mean change of the volume of closed parts */
  double tear_percent;                    /* widest gap between vertices at one bind position */
  size_t unweighted_vertices;
  size_t max_influences;
} skincells_metrics;

/* Measures the weights of `other` against those of `reference`: two skins of one mesh. options: "compare", or 0;
 * metrics: over its random poses; may be null. json: all measurements; may be null. */
SKINCELLS_API skincells_code skincells_compare(skincells_context* context, skincells_character reference,
                                               skincells_character other, skincells_options options,
                                               skincells_metrics* metrics, skincells_bytes* json);
enum { SKINCELLS_GOOD = 0, SKINCELLS_LOOK = 1, SKINCELLS_BAD = 2 };

typedef struct skincells_verdict_view {
  size_t size;
  int32_t grade;     /* SKINCELLS_GOOD, ... */
  const char* name;  /* "good", "look at it", "bad" */
  const char* poses; /* what was measured: "24 random poses" */
  size_t finding_count;
} skincells_verdict_view;

/* A measure that was judged; larger is worse. */
typedef struct skincells_finding {
  size_t size;
  int32_t grade;
  const char* name;   /* "stretch_rms" */
  const char* label;  /* for people, with the unit */
  const char* where;  /* where it is worst; may be empty */
  const char* advice; /* what to do if it is not good */
  double value;
  double good, bad; /* good up to the first, bad beyond the second */
} skincells_finding;

/* Poses the character with its weights and judges what is measured (docs/verdict.md). gate: path of a file with other
 * thresholds, or null. */
SKINCELLS_API skincells_code skincells_judge(skincells_context* context, skincells_character character,
                                             const char* gate, skincells_verdict* verdict);
SKINCELLS_API skincells_code skincells_verdict_get(skincells_context* context, skincells_verdict verdict,
                                                   skincells_verdict_view* view);
/* Findings, worst first. */
SKINCELLS_API skincells_code skincells_verdict_finding(skincells_context* context, skincells_verdict verdict,
                                                       size_t index, skincells_finding* finding);
/* Defects of the weights of a character. options: "check", or 0. passed: 1 or 0. json may be null. */
SKINCELLS_API skincells_code skincells_check(skincells_context* context, skincells_character character,
                                             skincells_options options, int32_t* passed, skincells_bytes* json);
/* A contact sheet of the posed character, as a PNG file. options: "render", or 0. */
SKINCELLS_API skincells_code skincells_render(skincells_context* context, skincells_character character,
                                              skincells_options options, skincells_bytes* png);
/* The viewer with the character inside, as one HTML page. options: "view", or 0. subject: a character with weights, or
 * the result of a bind, which shows its skin cells too. */
SKINCELLS_API skincells_code skincells_view(skincells_context* context, skincells_handle subject,
                                            skincells_options options, skincells_bytes* html);

/* --- Jobs on files -------------------------------------------------------------------------------------------------
 */

/* Runs a job like the command of the same name: options of a set "..._job", with "input", "output" and the like among
 * them. json: its document, or what it is about if it has none: the HTML page of "view_job" without output; may be
 * null. control may be null. */
SKINCELLS_API skincells_code skincells_run(skincells_context* context, skincells_options options,
                                           const skincells_control* control, skincells_bytes* json);

#ifdef __cplusplus
}
#endif

#endif
