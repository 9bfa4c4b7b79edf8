import { ModuleFiles } from "../../../exporter/src/render/modules/module-files.js";
import { renderPage } from "../../../exporter/src/render/page/page-renderer.js";

/** Renders a page that imports no files, and returns its HTML and warnings. */
export function renderedPage(file: string, source: string): { html: string; warnings: string[] } {
    const warnings: string[] = [];
    const context = {
        modules: new ModuleFiles({ has: () => false, readText: () => "" }),
        iconLibrary: undefined,
        link: (href: string) => href,
        warn: (_: string, __: unknown, reason: string) => void warnings.push(reason),
    };
    return { html: renderPage(file, source, {}, context).body.html, warnings };
}
