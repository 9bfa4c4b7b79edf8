import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WatchedSites, type WatchedSitesOptions } from "../../../../service/src/roles/watched-sites.js";
import { withFolder } from "../../support/running-service.js";

export const other = "other.example.com";

interface Fixture {
    file: string;
    /** Writes the file atomically, as Kubernetes does with a ConfigMap. */
    write: (...lines: string[]) => Promise<void>;
    log: string[];
    watch: (
        check?: WatchedSitesOptions["check"],
        checkSite?: WatchedSitesOptions["checkSite"],
        sites?: WatchedSitesOptions["sites"],
    ) => WatchedSites;
}

export async function withSitesFile(use: (fixture: Fixture) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const file = join(folder, "sites");
        const log: string[] = [];
        const logger = { info: (line: string) => void log.push(line), error: (line: string) => void log.push(line) };
        await use({
            file,
            log,
            async write(...lines) {
                await writeFile(`${file}.new`, lines.join("\n"));
                await rename(`${file}.new`, file);
            },
            watch: (check = () => undefined, checkSite = () => undefined, sites = {}) =>
                new WatchedSites({ sites, sitesFile: file, check, checkSite, logger, checkMs: 1 }),
        });
    });
}

export const source = (name: string) => ({
    url: `https://git.example.com/acme/${name}.git`,
    branch: "main",
    folder: ".",
});
export const repository = (name: string): string => `git+https://git.example.com/acme/${name}.git#main`;
