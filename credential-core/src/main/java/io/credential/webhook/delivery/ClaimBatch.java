package io.credential.webhook.delivery;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What one claim got.
 *
 * @param lastEndpoint the last endpoint that was looked at; null when none had anything due
 * @param share how many were asked of each
 */
record ClaimBatch(List<ClaimedDelivery> claimed, @Nullable String lastEndpoint, int share) {

    static final ClaimBatch NONE = new ClaimBatch(List.of(), null, 0);

    /** Whether an endpoint gave as many as were asked of it, so that it may well have more. */
    boolean suggestsMore(ClaimRequest request) {
        Map<String, Integer> counts = new HashMap<>();
        claimed.forEach(delivery -> counts.merge(delivery.endpointId(), 1, Integer::sum));
        return counts.entrySet().stream()
                .anyMatch(count -> count.getValue() >= Math.min(share, request.freeOf(count.getKey())));
    }

    /** Of rows that all have {@code last_endpoint} and {@code share}, and a delivery unless nothing was claimed. */
    static ClaimBatch read(ResultSet rows, Claim claim) throws SQLException {
        ClaimedRows deliveries = new ClaimedRows(claim);
        List<ClaimedDelivery> claimed = new ArrayList<>();
        String lastEndpoint = null;
        int share = 0;
        while (rows.next()) {
            lastEndpoint = rows.getString("last_endpoint");
            share = rows.getInt("share");
            if (rows.getString("delivery_id") != null) {
                claimed.add(deliveries.mapRow(rows, claimed.size()));
            }
        }
        return new ClaimBatch(claimed, lastEndpoint, share);
    }
}
