/**
 * Limits that every process of builds and agents has, also in pods: otherwise, few of them could open all files that
 * the system allows. A shell's command; a limit that the system does not support has no effect. Bundlers open many
 * files at once.
 */
export const limitOpenFiles = "{ ulimit -c 0; ulimit -n 8192; } 2>/dev/null";
