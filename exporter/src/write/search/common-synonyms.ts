/** Words that readers of any documentation use for the same thing, by language. A site's own groups come first. */
const common: Readonly<Record<string, string>> = {
    english: `
        abort cancel stop interrupt
        account user
        add create
        allow permit permission
        answer reply response
        appearance look style theme
        approve approval confirm
        arguments flags options parameters
        authenticate authentication login signin
        back revert rollback undo
        browser client
        bug issue
        cache caching
        ci pipeline workflow
        cluster kubernetes k8s
        combine join merge
        computer machine laptop
        config configuration configure settings
        connect connection
        container docker
        conversation chat
        cost price pricing
        crash die kill
        credentials key secret token password
        delete remove uninstall
        deploy deployment publish rollout
        deprecated legacy old
        directory folder
        docs documentation
        edit change modify
        error failure problem troubleshooting
        example sample demo
        expire expiry valid validity
        export download
        fast performance slow speed
        forbid block deny reject
        hide mask redact
        image picture
        install installation setup
        instance replica
        log logging
        measure benchmark
        migrate migration move switch upgrade
        monitor monitoring alert
        oidc sso
        outage availability failover
        parallel concurrent concurrency
        periodic cron schedule
        proxy gateway
        quickstart start scratch begin
        release version
        resume continue reconnect
        save store persist persistence
        show display render
        shutdown stop close exit
        test testing
        trace tracing telemetry
        unsupported unavailable
        upgrade update
        website site
    `,
};

/** @param stemmer the language's English name */
export function commonSynonyms(stemmer: string | undefined): readonly (readonly string[])[] {
    const lines = stemmer === undefined ? [] : (common[stemmer] ?? "").trim().split("\n");
    return lines.filter((line) => line !== "").map((line) => line.trim().split(" "));
}
