package io.credential.webhook.delivery.internal.history;

import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;

/** Conditions that must all hold, and the parameters that they name. */
final class SearchConditions {

    private final StringJoiner sql = new StringJoiner(" AND ").setEmptyValue("1 = 1");
    private final Map<String, Object> parameters = new HashMap<>();
    private boolean isEmpty = true;

    SearchConditions add(String condition) {
        sql.add(condition);
        isEmpty = false;
        return this;
    }

    /** Does nothing if the value is null. */
    SearchConditions add(String condition, String parameter, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        parameters.put(parameter, value);
        return add(condition);
    }

    boolean isEmpty() {
        return isEmpty;
    }

    String sql() {
        return sql.toString();
    }

    Map<String, Object> parameters() {
        return parameters;
    }
}
