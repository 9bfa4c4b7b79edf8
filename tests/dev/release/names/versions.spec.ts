import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildVersion, nextVersion } from "../../../../dev/release/names/build-version.js";
import { copies } from "../../../../dev/release/names/set-version.js";

describe("The version of a build", () => {
    let folder: string;
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
    const commit = (text: string) => {
        writeFileSync(join(folder, "file"), text);
        git("add", "file");
        git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", text);
    };

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "static-export-version-"));
        git("init", "--quiet");
        commit("first");
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is a pre-release version that names the commit", () => {
        assert.match(buildVersion(folder, "0.3.0"), /^0\.3\.0-alpha\.1\.g[\da-f]{10}$/);
    });

    it("has no number after the count of commits, which Pulumi would drop from a Python version", () => {
        writeFileSync(join(folder, "file"), "changed");
        const [, , ...rest] = buildVersion(folder, "0.3.0").split("-")[1]!.split(".");
        assert.ok(rest.length === 2 && rest.every((part) => /^[a-z][\da-f]+$/.test(part)), String(rest));
    });

    it("differs for each commit, and for uncommitted changes", () => {
        const first = buildVersion(folder, "0.3.0");
        commit("second");
        const second = buildVersion(folder, "0.3.0");
        writeFileSync(join(folder, "file"), "changed");
        const changed = buildVersion(folder, "0.3.0");
        writeFileSync(join(folder, "file"), "changed again");
        assert.equal(new Set([first, second, changed, buildVersion(folder, "0.3.0")]).size, 4);
        assert.match(second, /^0\.3\.0-alpha\.2\./);
    });

    it("is the release version for an unmodified checkout of its tag", () => {
        git("tag", "v0.3.0");
        assert.equal(buildVersion(folder, "0.3.0"), "0.3.0");
        assert.match(buildVersion(folder, "0.4.0"), /-alpha\./);
        writeFileSync(join(folder, "file"), "changed");
        assert.match(buildVersion(folder, "0.3.0"), /-alpha\./);
    });

    it("does not name a commit outside a git repository", () => {
        rmSync(join(folder, ".git"), { recursive: true });
        assert.equal(buildVersion(folder, "0.3.0"), "0.3.0-dev");
    });
});

describe("The version of the next release", () => {
    for (const { file, place } of copies) {
        it(`appears in ${file}`, () => {
            assert.equal(place.exec(readFileSync(file, "utf8"))?.[0], nextVersion());
        });
    }

    it("does not appear in any other package.json", () => {
        const manifests = readdirSync(".", { withFileTypes: true })
            .filter((entry) => entry.isDirectory())
            .map(({ name }) => `${name}/package.json`);
        for (const file of execFileSync("git", ["ls-files", ...manifests], { encoding: "utf8" }).split("\n")) {
            if (file !== "" && !copies.some((copy) => copy.file === file)) {
                assert.equal((JSON.parse(readFileSync(file, "utf8")) as { version?: string }).version, undefined, file);
            }
        }
    });

    it("does not appear in guides, because it would be wrong after the next release", () => {
        const texts = execFileSync("git", ["ls-files", "docs/*.md", "docs/*.mdx", "README.md", "examples/*.md"], {
            encoding: "utf8",
        });
        const found = texts.split("\n").filter((file) => file !== "" && hasTarball(readFileSync(file, "utf8")));
        assert.deepEqual(found, []);
    });
});

function hasTarball(text: string): boolean {
    return /pulumi-static-export-(?:[a-z]+-)?\d+\.\d+\.\d+|static-export[ @]v?\d+\.\d+\.\d+/.test(text);
}
