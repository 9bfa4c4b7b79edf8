import { ownProjectBlocks, type OwnLanguage, WrittenPackages } from "../../docs/support/own-project.js";

/** YAML takes another minute, so it runs in `npm run test:all`. */
const languages: OwnLanguage[] = process.env["PAGES"] === "whole" ? ["typescript", "yaml"] : ["typescript"];

describe("a reader with an empty home directory who follows docs/own-project.md", () => {
    let packages: WrittenPackages;

    before(async () => {
        packages = await WrittenPackages.write();
    });

    after(() => packages.remove());

    for (const language of languages) {
        it(`previews, exports, changes and destroys, in ${language}`, async () => {
            const reader = await packages.openReader();
            try {
                await packages.follow(reader, ownProjectBlocks("clone", language));
            } finally {
                await reader.leave();
            }
        });
    }
});
