# find_package(lowfat) - targets:
#   lowfat::lowfat    the shared library, which replaces malloc
#   lowfat::static    the static library, which replaces malloc
#   lowfat::api       static, the names with the prefix lowfat_ only
#   lowfat::globals   link options for low-fat global objects; for programs linked without PIE
get_filename_component(lowfat_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_package(Threads REQUIRED)
foreach(target IN ITEMS lowfat static api globals)
  if(TARGET lowfat::${target})
    return()
  endif()
endforeach()
add_library(lowfat::lowfat SHARED IMPORTED)
set_target_properties(lowfat::lowfat PROPERTIES
  IMPORTED_LOCATION "${lowfat_prefix}/lib/liblowfat.so.0" IMPORTED_SONAME liblowfat.so.0)
add_library(lowfat::static STATIC IMPORTED)
set_target_properties(lowfat::static PROPERTIES IMPORTED_LOCATION "${lowfat_prefix}/lib/liblowfat.a")
add_library(lowfat::api STATIC IMPORTED)
set_target_properties(lowfat::api PROPERTIES IMPORTED_LOCATION "${lowfat_prefix}/lib/liblowfat-api.a")
add_library(lowfat::globals INTERFACE IMPORTED)
set_target_properties(lowfat::globals PROPERTIES
  INTERFACE_COMPILE_OPTIONS -fno-pie
  INTERFACE_LINK_LIBRARIES "-no-pie;-Wl,-T,${lowfat_prefix}/share/lowfat/lowfat-globals.ld")
foreach(target IN ITEMS lowfat static api)
  set_target_properties(lowfat::${target} PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${lowfat_prefix}/include" INTERFACE_LINK_LIBRARIES Threads::Threads)
endforeach()
