import { ensureDebianPackages, ToolUnavailableError } from "@pulumi-static-export/toolchain";

/** Installs Debian packages; where that is impossible, skips the suite and prints the reason and the command. */
export async function installOrSkip(suite: { skip(): void }, packages: readonly string[]): Promise<void> {
    try {
        await ensureDebianPackages(packages);
    } catch (error) {
        if (!(error instanceof ToolUnavailableError)) {
            throw error;
        }
        console.log(`      skipped: ${error.message}`);
        suite.skip();
    }
}
