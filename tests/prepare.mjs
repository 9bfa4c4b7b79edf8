/**
 * Gets what the specs run against: the engine, its plugins, Helm and an S3 server, built once and cached; and, where
 * this is Debian and root, a web server and a browser. Specs that miss one of those skip and say so.
 */
import {
    ensureDebianPackages,
    ensureKubernetesProvider,
    ensurePulumi,
    ensurePythonTool,
    ensureTool,
    schemathesis,
} from "@pulumi-static-export/toolchain";

const onProgress = (line) => console.log(line);

try {
    await ensurePulumi({ onProgress });
    await ensureTool("helm", { onProgress });
    await ensureTool("versitygw", { onProgress });
    await ensureKubernetesProvider({ onProgress });
} catch (error) {
    console.error(error.message);
    process.exit(1);
}
try {
    await ensurePythonTool(schemathesis, { onProgress });
} catch (error) {
    console.log(error.message);
}
try {
    await ensureDebianPackages(["nginx-light", "busybox-static", "chromium"], { onProgress });
} catch (error) {
    console.log(`${error.message} Specs that need one are skipped.`);
}
