# The engine and the judge in a container, without root. The project is mounted at /project:
#   docker build -t repair . && docker run --rm -v "$PWD:/project" repair check --since HEAD
# Bubblewrap needs user namespaces, which many containers lack; `repair doctor` says which walls hold.
FROM python:3.13-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap git \
    && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN python -m pip install --no-cache-dir /source pytest && rm -rf /source
RUN useradd --create-home --uid 1000 repair
USER repair
WORKDIR /project
ENTRYPOINT ["repair"]
CMD ["doctor"]
