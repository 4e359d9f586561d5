/* Prints the sizes of the structs of the C interface; abi_test.py compares them with abi.txt. */
#include <stdio.h>

#include <skincells/skincells_c.h>

#define SIZE(type) printf("struct %s %zu\n", #type, sizeof(type))

int main(void) {
  SIZE(skincells_array);
  SIZE(skincells_character_desc);
  SIZE(skincells_character_view);
  SIZE(skincells_control);
  SIZE(skincells_error);
  SIZE(skincells_field_view);
  SIZE(skincells_finding);
  SIZE(skincells_joint_view);
  SIZE(skincells_metrics);
  SIZE(skincells_option_info);
  SIZE(skincells_progress);
  SIZE(skincells_result_view);
  SIZE(skincells_verdict_view);
  printf("version abi %d\n", SKINCELLS_ABI_VERSION);
  return 0;
}
