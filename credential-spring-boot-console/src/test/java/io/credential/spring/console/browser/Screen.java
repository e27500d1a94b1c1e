package io.credential.spring.console.browser;

/**
 * The pages of the console. Add a line for each new page: tests then open it wherever the console can be mounted, and check its
 * links, its accessibility and how it shows hostile text.
 */
enum Screen {
    DELIVERIES("deliveries"),
    DELIVERIES_FILTERED("deliveries?endpoint=attacker&status=dead&response=302&audience=attacker"),
    DELIVERIES_NONE("deliveries?type=never.sent"),
    DELIVERIES_BAD_FILTER("deliveries?response=999", 400),
    DELIVERY_ACCEPTED("deliveries/{delivered}"),
    DELIVERY_DEAD("deliveries/{dead}"),
    DELIVERY_HELD("deliveries/{held}"),
    DELIVERY_HOSTILE("deliveries/{hostile}"),
    DELIVERY_UNKNOWN("deliveries/00000000000000000000000000000000", 404),
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
