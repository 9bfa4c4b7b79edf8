import { ownProjectBlocks, type OwnLanguage, WrittenPackages } from "../../docs/support/own-project.js";
import { isLong } from "../../scale.js";

/** YAML takes another minute, so it runs only in `npm run test:all`. */
const languages: OwnLanguage[] = isLong ? ["typescript", "yaml"] : ["typescript"];

describe("the steps of docs/own-project.md in an empty home directory", () => {
    let packages: WrittenPackages;

    before(async () => {
        packages = await WrittenPackages.write();
    });

    after(() => packages.remove());

    for (const language of languages) {
        it(`preview, export, change and destroy a site in ${language}`, async () => {
            const reader = await packages.openReader();
            try {
                await packages.follow(reader, ownProjectBlocks("clone", language));
            } finally {
                await reader.leave();
            }
        });
    }
});
