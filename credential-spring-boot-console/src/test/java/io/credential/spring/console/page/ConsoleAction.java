package io.credential.spring.console.page;

import io.credential.spring.console.internal.web.Access;

/**
 * What can be sent to the console, with the authority that it needs. {@link ActionRouteTests} fails if a route is missing here,
 * and fills in what is in braces.
 */
enum ConsoleAction {
    RETRY_MATCHING("deliveries/retry", Access.OPERATE, "deliveries/retry?endpoint=shop", ""),
    RETRY_SELECTED("deliveries/retry-selected", Access.OPERATE, "deliveries/retry-selected", "id={delivery}"),
    RETRY("deliveries/{id}/retry", Access.OPERATE, "deliveries/{delivery}/retry", ""),
    REPLAY("deliveries/{id}/replay", Access.OPERATE, "deliveries/{delivery}/replay", ""),
    ERASE("deliveries/{id}/erase", Access.ADMIN, "deliveries/{delivery}/erase", ""),
    CANCEL("jobs/{id}/cancel", Access.OPERATE, "jobs/{job}/cancel", ""),
    REPLAY_GROUP("dead/replay", Access.OPERATE, "dead/replay", "endpoint=shop&reason=http-status"),
    PURGE_GROUP(
            "dead/purge",
            Access.ADMIN,
            "dead/purge",
            "endpoint=shop&reason=http-status&confirm=shop&until=9999-01-01T00:00:00Z"),
    CREATE_ENDPOINT(
            "new-endpoint",
            Access.OPERATE,
            "new-endpoint",
            "form={form}&id=new&url=http://127.0.0.1/new&types=*&scheme=credential&format=raw"),
    EDIT_ENDPOINT(
            "endpoints/{id}/edit",
            Access.OPERATE,
            "endpoints/shop/edit",
            "form={form}&version={version}&types=order.created&scheme=credential&format=raw"),
    PAUSE("endpoints/{id}/pause", Access.OPERATE, "endpoints/shop/pause", ""),
    RESUME("endpoints/{id}/resume", Access.OPERATE, "endpoints/paused/resume", ""),
    TEST("endpoints/{id}/test", Access.OPERATE, "endpoints/shop/test", ""),
    REPLAY_ENDPOINT("endpoints/{id}/replay", Access.OPERATE, "endpoints/shop/replay", ""),
    ROTATE_ENDPOINT("endpoints/{id}/rotate", Access.ADMIN, "endpoints/shop/rotate", "form={form}"),
    REMOVE_ENDPOINT("endpoints/{id}/remove", Access.ADMIN, "endpoints/shop/remove", "confirm=shop"),
    SEND_EXAMPLE("event-types/{name}/send", Access.OPERATE, "event-types/order.created/send", "endpoint=shop"),
    SEARCH_KEYS("keys/search", Access.VIEW, "keys/search", "owner=somebody"),
    ISSUE_KEY("keys/new", Access.KEYS, "keys/new", "form={form}&registry=live&owner=somebody"),
    ROTATE_KEY("keys/{registry}/{id}/rotate", Access.KEYS, "keys/live/{key}/rotate", "form={form}&grace=none"),
    DISABLE_KEY("keys/{registry}/{id}/disable", Access.KEYS, "keys/live/{key}/disable", ""),
    ENABLE_KEY("keys/{registry}/{id}/enable", Access.KEYS, "keys/live/{disabled}/enable", ""),
    REVOKE_KEY("keys/{registry}/{id}/revoke", Access.KEYS, "keys/live/{key}/revoke", "confirm={key}"),
    LIMIT_KEY("keys/{registry}/{id}/limits", Access.KEYS, "keys/live/{key}/limits", "limit=5&window=60"),
    VERIFY_AUDIT_LOG("audit/verify", Access.ADMIN, "audit/verify", "");

    /** The pattern of the route, below the path of the console. */
    final String pattern;

    final Access access;
    final String path;

    /** Names and values, as {@code name=value&name=value}. */
    final String form;

    ConsoleAction(String pattern, Access access, String path, String form) {
        this.pattern = pattern;
        this.access = access;
        this.path = path;
        this.form = form;
    }
}
