package io.credential.spring.autoconfigure.cluster;

/**
 * Published when this node has become the leader.
 * It may no longer be the leader when a listener is called: only the database decides, in the transaction of a change.
 *
 * <p>Events are published on a separate thread, one after another. What a listener throws is logged; how long it takes
 * does not affect the election. While a listener is slow, further changes are combined.
 *
 * @param nodeId the name of this node
 * @param epoch counts the terms of all leaders of a cluster, from 1; 0 in single mode
 * @since 0.1.0
 */
public record LeadershipGrantedEvent(String nodeId, long epoch) {}
