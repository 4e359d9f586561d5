# Installs the project into a fresh prefix, builds tests/consumer against it and runs it; builds the C example with
# pkg-config alone and runs it.
# cmake -DBUILD_DIR= -DSOURCE_DIR= -DWORK_DIR= -DVERSION= -DC_COMPILER= -DCXX_COMPILER= -DFLAGS= -DC_EXAMPLE=
#   -DLIBDIR= -P build_and_run.cmake
file(REMOVE_RECURSE ${WORK_DIR})
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -G Ninja -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DEXPECTED_VERSION=${VERSION}
  -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS}
  -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_C_FLAGS=${FLAGS} -DC_EXAMPLE=${C_EXAMPLE}
  # Nothing but the installed package may be found.
  -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)
run(${WORK_DIR}/build/consumer_c)

if(FLAGS MATCHES "-fsanitize")
  return() # their runtime is no C library
endif()
set(ENV{PKG_CONFIG_PATH} ${WORK_DIR}/prefix/${LIBDIR}/pkgconfig)
execute_process(COMMAND pkg-config --cflags --libs "skincells = ${VERSION}" OUTPUT_VARIABLE package
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(package UNIX_COMMAND "${package}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
run(${C_COMPILER} -std=c11 ${flags} ${C_EXAMPLE} ${package} -lm -o ${WORK_DIR}/by_pkg_config)
set(ENV{LD_LIBRARY_PATH} ${WORK_DIR}/prefix/${LIBDIR})
run(${WORK_DIR}/by_pkg_config)
