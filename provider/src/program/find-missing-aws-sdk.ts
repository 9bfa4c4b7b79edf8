const awsPackages = ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"];

/** Names the missing packages that only a mirror needs, as a sentence without a full stop; undefined when none are. */
export function findMissingAwsSdk(resolve: (name: string) => unknown = require.resolve): string | undefined {
    const missing = awsPackages.filter((name) => !isInstalled(name, resolve));
    return missing.length === 0
        ? undefined
        : `a mirror needs ${missing.join(" and ")}. Run \`npm install ${missing.join(" ")}\` in the folder of your ` +
              "Pulumi program";
}

function isInstalled(name: string, resolve: (name: string) => unknown): boolean {
    try {
        resolve(name);
        return true;
    } catch {
        return false;
    }
}
