import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderTarget, parseTarget } from "@pulumi-static-export/sdk/publish";
import { addressOfFolder } from "../../../sdk/src/publish/targets/folder-files.js";

describe("The address of a folder", () => {
    let parent: string;
    beforeEach(async () => (parent = await mkdtemp(join(tmpdir(), "publish-spec-"))));
    afterEach(() => rm(parent, { recursive: true }));

    for (const name of ["docs", "a#b", "a?b", "100%", "my docs", "naïve", "a%20b"]) {
        it(`is read back as it is printed: ${name}`, async () => {
            const folder = join(parent, name);
            await mkdir(folder);
            const { address } = await FolderTarget.open(folder);
            assert.deepEqual(parseTarget(address), { kind: "folder", folder });
        });
    }

    it("may be relative to this process's folder", () => {
        assert.deepEqual(parseTarget("file://www/site/"), { kind: "folder", folder: join(process.cwd(), "www/site") });
        assert.deepEqual(parseTarget("file://my docs"), { kind: "folder", folder: join(process.cwd(), "my docs") });
    });

    for (const name of ["docs ", " docs", "a\tb", "a\nb", "a\\b", "c|", "c:docs"]) {
        it(`is the folder itself, and not one whose name a URL shortens: ${JSON.stringify(name)}`, function () {
            if (process.platform === "win32") {
                this.skip();
            }
            assert.deepEqual(parseTarget(`file://${name}`), { kind: "folder", folder: join(process.cwd(), name) });
            assert.deepEqual(parseTarget(`file:///${name}`), { kind: "folder", folder: `/${name}` });
        });
    }

    for (const path of ["/C:/a#b", "/C:/a?b", "/C:/a?", "/C:/100%", "a#b", "/C:/a%2Fb"]) {
        it(`is refused if a part of it would be ignored: file://${path}`, () => {
            assert.throws(
                () => parseTarget(`file://${path}`),
                /is not the address of a folder: write "%" as %25, "#" as %23/,
            );
        });
    }
});

describe("The address of a bucket", () => {
    const arn = "arn:aws:s3:eu-central-1:123456789012:accesspoint/docs";

    for (const [address, bucket, prefix] of [
        ["s3://docs_bucket/site", "docs_bucket", "site/"],
        ["s3://Docs.Example/", "Docs.Example", ""],
        [`s3://${arn}/handbook/v1`, arn, "handbook/v1/"],
        [`s3://${arn}`, arn, ""],
    ] as const) {
        it(`may have any name that a storage allows: ${address}`, () => {
            assert.deepEqual(parseTarget(address), { kind: "bucket", bucket, prefix });
        });
    }

    for (const address of [
        "s3://docs/.static-export/",
        "s3://docs/a/.static-export/files",
        "az://docs/.static-export",
    ]) {
        it(`is refused where a site has its records: ${address}`, () => {
            assert.throws(() => parseTarget(address), /publish to the folder above \.static-export/);
        });
    }

    it("needs a name", () => {
        for (const address of ["s3://", "s3:///docs", "s3://my bucket/docs"]) {
            assert.throws(() => parseTarget(address), /names no bucket: pass s3:/);
        }
    });
});

describe("The address of a folder on Windows", () => {
    for (const [address, folder] of [
        ["file:///C:/srv/docs", "C:\\srv\\docs"],
        ["file://c:\\srv\\my docs\\", "c:\\srv\\my docs"],
        ["file:////server/share/docs", "\\\\server\\share\\docs"],
        ["file://///server/share/100%25", "\\\\server\\share\\100%"],
        ["file://\\\\server\\share\\docs", "\\\\server\\share\\docs"],
    ] as const) {
        it(`may be on a disk or a share: ${address}`, () => {
            assert.deepEqual(parseTarget(address, true), { kind: "folder", folder });
        });
    }

    for (const folder of ["C:\\srv\\docs", "\\\\server\\share\\my docs", "C:\\"]) {
        it(`is read back as it is printed: ${folder}`, () => {
            assert.deepEqual(parseTarget(addressOfFolder(folder, true), true), { kind: "folder", folder });
        });
    }

    it("names the disk", () => {
        assert.throws(() => parseTarget("file:///srv/docs", true), /names no disk: pass file:\/\/\/C:\/srv\/docs or/);
        assert.throws(
            () => parseTarget("C:\\srv\\docs", true),
            /is not a place for a site: .* file:\/\/\/C:\/srv\/docs/,
        );
    });
});
