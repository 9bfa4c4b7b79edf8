#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// No module is imported before this check, because an older Node.js cannot even parse the modules.
if (!(major >= 24 || (major === 22 && minor >= 13))) {
    console.error(
        `error: static-export needs Node.js ^22.13 || >=24, and this is ${process.versions.node}. ` +
            "Install a newer one, and check with node --version which one this terminal runs.",
    );
    process.exitCode = 2;
} else {
    const { runCli } = await import("../dist/index.js");
    await runCli(process.argv);
}
