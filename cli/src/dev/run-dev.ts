import { resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pageLimits } from "../build/page-limits.js";
import { UsageError } from "../command-line/usage-error.js";
import { stopOnSignal } from "../serve/stop-on-signal.js";
import { type FolderWatch } from "./folder-watch.js";

export interface DevOptions {
    readonly port?: number;
}

const firstPort = 4400;
/** Tried in order if the author names none. */
const defaultPorts = Array.from({ length: 20 }, (_, index) => firstPort + index);

/** Serves the folder until a signal, and leaves no file behind. @throws UsageError */
export async function runDev(folder: string, { port }: DevOptions): Promise<void> {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
        throw new UsageError(`There is no folder ${resolve(folder)}.`);
    }
    const sourceDir = resolveLinks(folder);
    const workDir = await mkdtemp(join(tmpdir(), "static-export-dev-"));
    const { LiveSiteProcess } = await import("@pulumi-static-export/exporter");
    const site = new LiveSiteProcess(sourceDir, workDir, pageLimits);
    // Reads the site while the server's modules are loading. The session reports a failure.
    site.open().catch(() => undefined);
    const [{ DevServer }, { DevSession }, { FolderWatch }] = await Promise.all([
        import("./dev-server.js"),
        import("./dev-session.js"),
        import("./folder-watch.js"),
    ]);
    const server = new DevServer({
        site,
        ports: port === undefined ? defaultPorts : [port],
        env: process.env,
        onError: console.error,
    });
    let watch: FolderWatch | undefined;
    const session = new DevSession({
        site,
        update: (isOnAll) => server.update(isOnAll),
        print: (line) => console.log(line),
        nowMs: () => performance.now(),
    });
    const close = async (): Promise<void> => {
        session.close();
        watch?.close();
        await server.close();
        await site.close();
        await rm(workDir, { recursive: true, force: true, maxRetries: 3 });
    };
    try {
        const opened = session.open();
        // A failure is reported below, unless another error comes first.
        opened.catch(() => undefined);
        watch = new FolderWatch(sourceDir, (paths) => void session.changed(paths));
        const address = await server.listen();
        stopOnSignal({ close }, { info: console.error });
        const pageCount = await opened;
        const pages = `${pageCount} ${pageCount === 1 ? "page" : "pages"}`;
        const name = folder === "." ? basename(sourceDir) : folder;
        console.log(`${name} at ${address}/ (${pages}, ready after ${Math.round(performance.now())} ms)`);
        console.log("Pages are updated when their files change. Press Ctrl-C to stop.");
    } catch (error) {
        await close();
        throw error;
    }
}
