package io.credential.spring.console.browser;

/**
 * The pages of the console. Add a line for each new page: tests then open it wherever the console can be mounted, and check its
 * links, its accessibility and how it shows hostile text.
 */
enum Screen {
    OVERVIEW(""),
    DELIVERIES("deliveries"),
    DELIVERIES_FILTERED("deliveries?endpoint=attacker&status=dead&response=302&audience=attacker"),
    DELIVERIES_NONE("deliveries?type=never.sent"),
    DELIVERIES_BAD_FILTER("deliveries?response=999", 400),
    RETRY("deliveries/retry?status=dead"),
    RETRY_NONE("deliveries/retry?type=never.sent"),
    DELIVERY_ACCEPTED("deliveries/{delivered}"),
    DELIVERY_DEAD("deliveries/{dead}"),
    DELIVERY_HELD("deliveries/{held}"),
    DELIVERY_HOSTILE("deliveries/{hostile}"),
    DELIVERY_UNKNOWN("deliveries/00000000000000000000000000000000", 404),
    PAYLOAD("deliveries/{delivered}/payload"),
    JOB("jobs/{job}"),
    ENDPOINTS("endpoints"),
    ENDPOINT("endpoints/erp"),
    ENDPOINT_HOSTILE("endpoints/{endpoint}"),
    ENDPOINT_UNKNOWN("endpoints/gone", 404),
    ENDPOINT_NEW("new-endpoint"),
    ENDPOINT_EDITED("endpoints/{endpoint}/edit"),
    DEAD("dead"),
    EVENT_TYPES("event-types"),
    EVENT_TYPE("event-types/order.created"),
    KEYS("keys"),
    KEY("keys/live/{key}"),
    KEY_NEW("keys/new"),
    AUDIT("audit"),
    INBOUND("inbound"),
    NO_PAGE("no/such/page", 404);

    private final String path;

    /** The status of the response. */
    final int status;

    Screen(String path) {
        this(path, 200);
    }

    Screen(String path, int status) {
        this.path = path;
        this.status = status;
    }

    /** Returns the URL of the page in a console, whose URL ends with a slash. */
    String url(String console, ConsoleData data) {
        return console + data.fill(path);
    }
}
