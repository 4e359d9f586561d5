# Runs the sample of docs/c.md on an example character: cmake -DEXAMPLES= -DPROGRAM= -DWORK_DIR= -P run_sample.cmake
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
execute_process(COMMAND ${EXAMPLES} ${WORK_DIR} --only quadruped COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(RENAME ${WORK_DIR}/quadruped.glb ${WORK_DIR}/character.glb)
execute_process(COMMAND ${PROGRAM} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${WORK_DIR}/skinned.glb)
  message(FATAL_ERROR "the sample of docs/c.md wrote nothing")
endif()
