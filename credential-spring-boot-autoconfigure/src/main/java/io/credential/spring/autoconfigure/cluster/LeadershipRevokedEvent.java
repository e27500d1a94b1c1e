package io.credential.spring.autoconfigure.cluster;

/**
 * Published when this node is no longer the leader, or cannot know that it still is.
 * It is published late if the node was paused; another node may then have been the leader for a while.
 *
 * <p>Events are published on a separate thread, one after another. What a listener throws is logged; how long it takes
 * does not affect the election. While a listener is slow, further changes are combined.
 *
 * @param nodeId the name of this node
 * @param epoch counts the terms of all leaders of a cluster, from 1; 0 in single mode
 * @since 0.1.0
 */
public record LeadershipRevokedEvent(String nodeId, long epoch) {}
