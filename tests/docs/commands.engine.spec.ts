import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bucket, credentialVariables, S3Server } from "../provider/bundle-mirror/s3-server.js";
import { isLong } from "../scale.js";
import { codeBlocks, documents, root } from "./support/documents.js";
import { followBlocks, isCommands } from "./support/follow-blocks.js";
import { followedPages, inOwnProject, ranElsewhere, substitutions, typedOf } from "./support/followed-pages.js";
import { ownProjectBlocks, splitBefore, WrittenPackages } from "./support/own-project.js";
import { Reader } from "./support/reader.js";

/** All pages together take ten minutes, so only `npm run test:all` includes them. */
const pages = isLong ? followedPages : ["README.md"];
const withCommands = pages.filter((document) => codeBlocks(document).some(isCommands));
const fromOwnProject = withCommands.filter((document) => inOwnProject.test(document));

describe("The documented commands", function () {
    // Some pages run thirty updates.
    this.timeout(30 * 60_000);

    for (const document of withCommands.filter((each) => !fromOwnProject.includes(each))) {
        it(`of ${document} print the documented output`, async () => {
            const blocks = codeBlocks(document);
            const storage = needsBucket(document) ? await S3Server.start() : undefined;
            const reader = await Reader.open(
                document.startsWith("examples/") ? dirname(document) : undefined,
                storage && { AWS_ENDPOINT_URL_S3: storage.endpoint, ...credentialVariables },
            );
            try {
                await followBlocks(reader, blocks, typedOf);
            } finally {
                await reader.leave();
                await storage?.stop();
            }
        });
    }

    it("refer to existing scripts that install and compile their dependencies on a fresh clone", () => {
        const manifest = readFileSync(join(root, "package.json"), "utf8");
        const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
        for (const document of documents) {
            const text = readFileSync(join(root, document), "utf8");
            for (const [command, script = ""] of text.matchAll(/npm (?:run )?(test|(?<=run )[\w:-]+)/g)) {
                const steps = scripts[script];
                assert.ok(steps, `${document}: there is no ${command}`);
                assert.match(steps, /^node dev\/toolchain\/(bootstrap|start)\.mjs\b/, `${document}: ${command}`);
            }
        }
    });

    it("are each run by a spec", () => {
        const commands = documents.flatMap(codeBlocks).filter(isCommands);
        const lines = commands.flatMap(({ text }) => text.split("\n"));
        for (const { command, by, proof } of ranElsewhere) {
            assert.ok(
                existsSync(join(root, by)) && proof.test(readFileSync(join(root, by), "utf8")),
                `${by}: no ${proof}`,
            );
            assert.ok(
                lines.some((line) => command.test(line)),
                `no page says ${command}`,
            );
        }
        for (const { written } of substitutions) {
            assert.ok(
                commands.some(({ text }) => text.search(written) !== -1),
                `no page says ${written}`,
            );
        }
    });
});

if (fromOwnProject.length > 0) {
    describe("In an empty home directory and the reader's own project folder, the commands", function () {
        this.timeout(30 * 60_000);
        let packages: WrittenPackages;
        let reader: Reader;
        let storage: S3Server | undefined;
        let backToStart: () => Promise<void>;

        before(async () => {
            packages = await WrittenPackages.write();
            storage = fromOwnProject.some(needsBucket) ? await S3Server.start() : undefined;
            reader = await packages.openReader({
                ...(storage && { AWS_ENDPOINT_URL_S3: storage.endpoint, ...credentialVariables }),
                // Another spec checks the types of the pages' programs.
                PULUMI_NODEJS_TRANSPILE_ONLY: "true",
            });
            const [start] = splitBefore("pulumi preview", ownProjectBlocks("clone", "typescript"));
            await packages.follow(reader, start);
            backToStart = await reader.save();
        });

        beforeEach(() => backToStart());

        after(async () => {
            await reader?.leave();
            await storage?.stop();
            await packages?.remove();
        });

        for (const document of fromOwnProject) {
            it(`of ${document} print the documented output`, () => followBlocks(reader, codeBlocks(document), typedOf));
        }
    });
}

function needsBucket(document: string): boolean {
    return codeBlocks(document).some(({ text }) => text.includes(`bucket: "${bucket}"`));
}
