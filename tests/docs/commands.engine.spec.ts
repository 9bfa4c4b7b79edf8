import { dirname } from "node:path";
import { bucket, credentialVariables, S3Server } from "../provider/bundle-mirror/s3-server.js";
import { isLong } from "../scale.js";
import { codeBlocks } from "./support/documents.js";
import { followBlocks, isCommands } from "./support/follow-blocks.js";
import { followedPages, inOwnProject, typedOf } from "./support/followed-pages.js";
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
