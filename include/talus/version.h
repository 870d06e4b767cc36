/* The version of Talus, for C and C++. The macros give the version of these headers, and the functions give
 * the version of the library that is loaded at run time. */
#ifndef TALUS_VERSION_H
#define TALUS_VERSION_H

#if defined(__GNUC__)
#define TALUS_C_API __attribute__((visibility("default")))
#else
#define TALUS_C_API
#endif

/* The version numbers are defined in this place only: CMake and the Python package read them here. */
#define TALUS_VERSION_MAJOR 0
#define TALUS_VERSION_MINOR 1
#define TALUS_VERSION_PATCH 0

/* The version as one number that grows with each version (100 for 0.1.0), and as text. */
#define TALUS_VERSION (TALUS_VERSION_MAJOR * 10000 + TALUS_VERSION_MINOR * 100 + TALUS_VERSION_PATCH)
#define TALUS_VERSION_STRING TALUS_VERSION_JOIN(TALUS_VERSION_MAJOR, TALUS_VERSION_MINOR, TALUS_VERSION_PATCH)
#define TALUS_VERSION_JOIN(major, minor, patch) TALUS_VERSION_QUOTE(major.minor.patch)
#define TALUS_VERSION_QUOTE(text) #text

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the TALUS_VERSION of the library. */
TALUS_C_API int talus_version(void);

/* Returns how the library was built, one item per line: version, commit, backends with their compute
 * capabilities, precisions, and tables of tuned kernels. The last line has no newline. The string is never
 * null and must not be freed. */
TALUS_C_API const char* talus_configuration(void);

#ifdef __cplusplus
} /* extern "C" */

namespace talus {

inline int version() noexcept { return talus_version(); }
inline const char* configuration() noexcept { return talus_configuration(); }

}  // namespace talus
#endif

#endif /* TALUS_VERSION_H */
