package io.credential.spring.console.browser;

/**
 * The pages of the console, each with something that it shows. Add a line for each new page: tests then open it wherever the
 * console can be mounted and on both databases, and check its links, its accessibility and how it shows hostile text.
 */
enum Screen {
    OVERVIEW("", "id=\"dead-erp-http-status\""),
    DELIVERIES("deliveries", "{held}"),
    DELIVERIES_FILTERED("deliveries?endpoint=attacker&status=dead&response=302&audience=attacker", "{hostile}"),
    DELIVERIES_NONE("deliveries?type=never.sent", "No results"),
    DELIVERIES_BAD_FILTER("deliveries?response=999", 400, "100 to 599"),
    RETRY("deliveries/retry?status=dead", "</b> can be retried now"),
    RETRY_NONE("deliveries/retry?type=never.sent", "<b>0</b> can be retried now"),
    DELIVERY_ACCEPTED("deliveries/{delivered}", "HTTP 204"),
    DELIVERY_DEAD("deliveries/{dead}", "HTTP 503"),
    DELIVERY_HELD("deliveries/{held}", "No attempts yet"),
    DELIVERY_HOSTILE("deliveries/{hostile}", "Redirects to"),
    DELIVERY_UNKNOWN("deliveries/00000000000000000000000000000000", 404, "No delivery has this id"),
    PAYLOAD("deliveries/{delivered}/payload", "12 bytes"),
    JOB("jobs/{job}", "{job}"),
    ENDPOINTS("endpoints", "Accounting"),
    ENDPOINT("endpoints/erp", "failing</span> since <time"),
    ENDPOINT_HOSTILE("endpoints/{endpoint}", "/is-hostile"),
    ENDPOINT_UNKNOWN("endpoints/gone", 404, "No endpoint has the id"),
    ENDPOINT_NEW("new-endpoint", "Create endpoint"),
    ENDPOINT_EDITED("endpoints/{endpoint}/edit", "/is-hostile"),
    DEAD("dead", "id=\"g-erp-http-status\""),
    EVENT_TYPES("event-types", "order.created"),
    EVENT_TYPE("event-types/order.created", "orderId"),
    KEYS("keys", "{key}"),
    KEY("keys/live/{key}", "orders:read"),
    KEY_NEW("keys/new", "Issue API key"),
    AUDIT("audit", "apikey.issue"),
    INBOUND("inbound", "/hooks/partner"),
    NO_PAGE("no/such/page", 404, "The console has no page here");

    private final String path;

    private final String fact;

    /** The status of the response. */
    final int status;

    Screen(String path, String fact) {
        this(path, 200, fact);
    }

    Screen(String path, int status, String fact) {
        this.path = path;
        this.status = status;
        this.fact = fact;
    }

    /** Returns the URL of the page in a console, whose URL ends with a slash. */
    String url(String console, ConsoleData data) {
        return console + data.fill(path);
    }

    /** Returns something that its HTML contains if the data was found. */
    String fact(ConsoleData data) {
        return data.fill(fact);
    }
}
