/* Wine 8 lacks bcryptprimitives.dll, from which native modules of Node.js that are written in Rust get random bytes. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PUCHAR bytes, SIZE_T count) { return RtlGenRandom(bytes, (ULONG)count); }
