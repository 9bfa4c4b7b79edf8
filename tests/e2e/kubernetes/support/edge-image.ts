import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import which from "which";
import { loadImage } from "@pulumi-static-export/cluster";
import { ensureDebianPackages } from "@pulumi-static-export/toolchain";
import { addFile, addProgram } from "./image-files.js";
import { type LocalCluster } from "./shared-cluster.js";

export const edgeImage = { repository: "static-export.local/edge", tag: "1", pullPolicy: "Never" };

/** The programs that the chart's scripts run; busybox provides them, as in the image that values.yaml names. */
const applets = ["awk", "cat", "kill", "ls", "sh", "sleep", "touch", "tr"];
const accounts = "root:x:0:0:root:/root:/bin/sh\nnginx:x:101:101:nginx:/nonexistent:/bin/false\n";

/** Loads an image for charts/documentation-sites into a cluster: nginx with njs, a shell and curl. */
export async function loadEdgeImage(cluster: LocalCluster): Promise<void> {
    await ensureDebianPackages(["nginx-light", "libnginx-mod-http-js"]);
    const settings = {
        reference: `${edgeImage.repository}:${edgeImage.tag}`,
        user: "101:101",
        command: ["nginx", "-g", "daemon off;"],
        stopSignal: "SIGQUIT",
    };
    await loadImage(cluster, settings, async (root) => {
        const own = ["/usr/sbin/nginx", "/usr/lib/nginx/modules/ngx_http_js_module.so", await which("curl")];
        for (const program of own) {
            await addProgram(root, program);
        }
        // Debian's busybox is statically linked, so it needs no libraries.
        await addFile(root, await which("busybox"), "/usr/bin/busybox");
        for (const applet of applets) {
            await symlink("busybox", join(root, "usr/bin", applet));
        }
        for (const folder of ["etc", "tmp", "var/cache", "var/log/nginx", "var/lib/nginx"]) {
            await mkdir(join(root, folder), { recursive: true });
        }
        await writeFile(join(root, "etc/passwd"), accounts);
        await writeFile(join(root, "etc/group"), "root:x:0:\nnginx:x:101:\n");
    });
}
