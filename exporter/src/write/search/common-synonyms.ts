/** Words that readers of any documentation use for the same thing, by language. A site's own groups come first. */
const common: Readonly<Record<string, string>> = {
    english: `
        abort cancel stop
        account user
        add create
        appearance look style theme
        arguments flags options parameters
        authenticate authentication login signin
        back revert rollback undo
        bug issue
        ci pipeline workflow
        cluster kubernetes k8s
        computer machine
        config configuration configure settings
        container docker
        cost price pricing
        credentials key secret token
        delete remove uninstall
        deploy deployment publish rollout
        deprecated legacy old
        directory folder
        error failure problem troubleshooting
        expire valid validity
        export download
        fast performance slow speed
        image picture
        install installation setup
        migrate migration move switch
        monitor monitoring alert
        oidc sso
        outage availability failover
        quickstart start scratch
        release version
        upgrade update
    `,
};

/** @param stemmer the language's English name */
export function commonSynonyms(stemmer: string | undefined): readonly (readonly string[])[] {
    const lines = stemmer === undefined ? [] : (common[stemmer] ?? "").trim().split("\n");
    return lines.filter((line) => line !== "").map((line) => line.trim().split(" "));
}
