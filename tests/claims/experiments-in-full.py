"""What the text of "In full: experiments" claims; run in its namespace."""

# All five oracles
assert min(gap.values()) > 0
assert sorted(fewer, key=fewer.get)[0] == ("connect-4", "record")
assert fewer["connect-4", "record"] < -1
assert fewer["connect-4", "report"] > 0
assert (
    abs(study["connect-4"]["OUE, fewer people/record"][3].mean() - study["connect-4"]["commonest class"].mean()) < 0.01
)
for n in DISCRETE:  # at small ε everything at ε each is above one input at ε, but where nobody learns
    assert np.all(curves[n, "report"][:, 1:].mean(axis=0) > curves[n, "record"][:, 1:].mean(axis=0)) or n == "connect-4"
assert [AT[i] for i, up in enumerate(lift["connect-4"]) if up < 0] == [0.25, 0.45]
most = {n: int(up.argmax()) for n, up in lift.items() if n != "connect-4"}
assert all(lift[n].min() > 0 < i < len(AT) - 2 for n, i in most.items())

# θ = ¼
for n in ("mushroom", "car"):
    d, e = paired(*(study[f"{n}, thresholds"]["q halved twice"][t, at] for t in (0, 1)))
    assert d > 3 * e
assert np.ptp(kinds["mushroom", "right q"]) < 2
assert np.ptp(kinds["car", "right q"]) < 3.5
assert kinds["car", "q halved twice"].argmax() == 4
assert kinds["car", "q halved twice"][4] < 100 * study["car"]["commonest class"].mean()
assert not any(d < -3 * e for four in quarter["right q"] for d, e in four)
assert not any(all(d > 3 * e for d, e in four) for found in quarter.values() for four in found)
assert np.all(np.diff(rising) > 0)
for i in (3, 4):
    assert abs(told[i] - 100 * fixed) < 0.1
    assert abs(ours[i] - 100 * fixed) < 0.5
assert max(told[5], ours[5]) < 70
assert in_order[0] > seen_from(1.05) > seen_from(2.0) > 1.5 * in_order[1]
assert abs(seen_from(5.0) - in_order[1]) < 0.01

# Numbers
assert min(dca[3]) > 3
assert min(dca[3]) > max(dca[5])
assert common_diabetes < plain_pca < plain_dca - 5
assert best_number("diabetes", "DCA", 5.0) == 1
assert of_dca["australian"][1] > max(of_dca["australian"].values()) - 0.5
assert max(of_pca.values()) - of_pca[6] > 0
assert of_pca[1] < common_diabetes + 1 < of_pca[6]
for n in NUMERIC:
    assert best_number(n, "DCA", 0.45) == 1
    assert small_dca[n][1] > list(small_dca[n].values())[-1] + 5
assert best_number("australian", "PCA", 0.45) == 1
assert by_number("australian", "PCA", 5.0)[1] > max(by_number("australian", "PCA", 5.0).values()) - 0.2


# The claims, one by one
def verdict_of(text, part):
    (found,) = (f for claim, f in judged.items() if text in claim)
    return found[part]["verdict"]


def clear_six(part):
    table = study["diabetes, components"]
    places = [
        (m, c, e)
        for m in BINNED
        for c, number in enumerate(table.at["components"])
        for e in range(len(table.at["epsilon"]))
        if number != 6
    ]
    found = {
        place: paired(table[f"{m}/PCA/{part}"][5, e], table[f"{m}/PCA/{part}"][c, e])
        for place in places
        for m, c, e in [place]
    }
    return {
        (m, table.at["components"][c], table.at["epsilon"][e])
        for (m, c, e), (d, error) in found.items()
        if abs(d) > 3 * error
    }


assert clear_six("report") == {(m, number, 5.0) for m in BINNED for number in (1, 2)}
assert clear_six("record") == {(m, 1, 5.0) for m in BINNED}
assert abs(six[0]) < 0.001
assert behind[0] < 0


def words_of(key):
    return [verdict_of(KEYS[key], part) for part in ("report", "record")]


SAID = {  # in the text here, with ε a report and with ε for the record
    "car": ["holds", "fails in part"],
    "mushroom": ["holds", "fails"],
    "chess": ["holds", "holds in part"],
    "large": ["mixed", "open"],
    "c4": ["fails", "mostly fails"],
    "common": ["fails", "fails"],
    "small": ["mostly holds", "mixed"],
    "six_pca": ["holds in part", "holds in part"],
}
for key, said in SAID.items():
    assert words_of(key) == said, key
assert of_joint("mushroom")["verdict"] == of_joint("large")["verdict"] == "holds"
AGAIN_SAID = {"car": "holds", "large": "mostly fails", "mushroom": "holds", "c4": "mixed", "plain": "holds"}
assert {key: judged[CLAIM[key]]["again"]["verdict"] for key in AGAIN_SAID} == AGAIN_SAID
assert judged[CLAIM["plain"]]["report"]["verdict"] == "fails"
assert all("hold" in word for word in words_of("dca"))
DECIDE = {key: decides(claim) for key, claim in CLAIM.items()}
assert DECIDE["mushroom"] == DECIDE["small"] == "accounting"
assert all("hold" in word for word in words_of("bins"))
for part in PARTS[1:]:  # whatever speaks clearly against a crowd is Connect-4
    against = {x[0] for x in crowd for d, error in [difference(*x, part)] if d < -3 * error}
    assert against == {"connect-4"}
assert DECIDE["car"] == "encoding"
assert DECIDE["plain"] == DECIDE["c4"] == "chance"
assert DECIDE["large"] == "encoding"
assert all("hold" in word for key in ("she", "similar", "crowd") for word in words_of(key))
assert study["connect-4, published split"]["commonest class"][0, 0] > common["connect-4"] + 0.01
assert len(claims) == len(judged) - 1
chess_sizes = sorted(set(sizes["chess"]))
assert chess_sizes == [2, 3]
assert sizes["chess"].count(3) == 1
assert 3 * math.exp(0.25) + 2 > 4
assert study["connect-4"]["OUE/record"][0].mean() < 0.6
assert paired(study["connect-4"]["OUE/record"][1], study["connect-4"]["OUE/record"][3])[0] > 0.01
assert max(sizes["connect-4"]) < max(sizes["car"])
assert len(set(CLAIM.values())) == len(CLAIM) == len(judged)
never = [key for key in by_key if sides[key] == {-1}]
assert never == ["common"]
assert {"she", "crowd", "dca", "dca_pca", "gauss_dca", "gauss_pca"} < set(stay)
assert len(stay) + len(never) + len(move) == len(by_key)
assert set(move) == {key for key in by_key if DECIDE[key] != "–"}
decided = {"car": "encoding", "large": "encoding", "mushroom": "accounting", "small": "accounting", "c4": "chance"}
assert {key: DECIDE[key] for key in move} == decided | {"plain": "chance"}
assert set(ranked[: len(stay)]) == set(stay)
middle = {part: [k for k in by_key if part in by_key[k] and not stands(by_key[k][part])] for part in PARTS[1:]}
assert middle == {"report": ["large"], "record": ["large", "small"]}
assert [by_key[key]["record"]["verdict"] for key in middle["record"]] == ["open", "mixed"]
assert len(stay) + len(move) == len(claims) == 20
