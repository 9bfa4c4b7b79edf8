import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "@pulumi-static-export/toolchain";
import { bin } from "../../cli/support/command.js";

/** Debian's `nobody`. */
const user = 65_534;
const asUser = [`--reuid=${user}`, `--regid=${user}`, "--clear-groups"];

describe("An ordinary user with an empty home folder, whose path has spaces, quotes and accents", function () {
    this.timeout(120_000);
    let root: string;
    let home: string;

    before(async function () {
        if (process.getuid?.() !== 0) {
            console.log("      skipped: only root may run programs as another user.");
            this.skip();
        }
        root = await mkdtemp(join(tmpdir(), "ordinary-user-"));
        home = join(root, "wri ter's é");
        await mkdir(home);
        await chown(home, user, user);
        execFileSync("chmod", ["755", root]);
        // The Node.js of root's cache is in root's home folder.
        await cp(process.execPath, join(root, "node"));
        try {
            execFileSync("setpriv", [...asUser, "test", "-r", bin]);
        } catch {
            console.log(`      skipped: other users may not read this clone: ${bin}`);
            this.skip();
        }
    });
    after(() => root && rm(root, { recursive: true }));

    const succeeds = (...args: string[]) => {
        const program = ["env", "-i", `HOME=${home}`, "PATH=/usr/bin:/bin", join(root, "node"), bin, ...args];
        return run("setpriv", [...asUser, ...program], { cwd: home });
    };

    it("starts a project, builds it, publishes it twice to a folder, and finds nothing wrong", async () => {
        await succeeds("create", "my docs", "--kind", "writer", "--no-install", "--no-start");
        const place = join(home, "pla ce's");
        await mkdir(place);
        await chown(place, user, user);
        const publish = async () => {
            await succeeds("build", "my docs/docs", "--output", "site");
            await succeeds("publish", "site", "--to", pathToFileURL(place).href);
        };
        await publish();
        await writeFile(join(home, "my docs", "docs", "new.md"), "# New\n");
        await publish();
        assert.match(await readFile(join(place, "new.html"), "utf8"), /<h1[^>]*>New/);
        assert.match(await succeeds("doctor", "--cwd", "my docs"), /^ok +documentation +docs, without docs\.json$/m);
    });
});
