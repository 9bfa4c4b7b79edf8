#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// No module is imported before this check, because an older Node.js cannot even parse the modules.
if (!(major >= 24 || (major === 22 && minor >= 13))) {
    console.error(
        `error: static-export needs Node.js ^22.13 || >=24, but this is ${process.versions.node}. ` +
            "Install a newer version, and check with node --version which version this terminal runs.",
    );
    process.exitCode = 2;
} else {
    // A command that does not compile its modules again starts in three quarters of the CPU time.
    const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache` } = process.env;
    if (XDG_CACHE_HOME) {
        const { enableCompileCache } = await import("node:module");
        enableCompileCache(`${XDG_CACHE_HOME}/static-export`);
    }
    const { runCli } = await import("../dist/index.js");
    await runCli(process.argv);
}
