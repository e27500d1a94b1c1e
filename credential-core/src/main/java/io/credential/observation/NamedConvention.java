package io.credential.observation;

import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;

/** Names the observations with one type of context. */
abstract class NamedConvention<C extends Observation.Context> implements GlobalObservationConvention<C> {

    private final Class<C> contextType;
    private final String name;
    private final String contextualName;

    NamedConvention(Class<C> contextType, String name, String contextualName) {
        this.contextType = contextType;
        this.name = name;
        this.contextualName = contextualName;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return contextType.isInstance(context);
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getContextualName(C context) {
        return contextualName;
    }
}
